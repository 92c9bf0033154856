"""Ways of training and their accuracy: seeds on one axis, and what a choice among runs is worth.

Read before this: ../charts.py, classification_terms.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Literal

from mlm_core.figures.charts import chart, lines_chart, percent_axis, rows_axis, titled
from mlm_core.figures.curves import Curve
from mlm_core.figures.theme import BLUE, GREY, INK, ORANGE, escaped
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ROW = 46  # pixels: a mark with its number above

Mark = Literal["seed", "baseline", "own"]
MARKS: dict[Mark, tuple[str, str]] = {
    "seed": ("circle", BLUE),
    "baseline": ("diamond", GREY),
    "own": ("square", ORANGE),
}


@dataclass(frozen=True, kw_only=True)
class VariantRow:
    """One way of training; values from 0 to 1, one a seed."""

    name: str
    values: Sequence[float]
    mean: float
    margin: float | None  # half the band's width; None: no band
    mark: Mark = "seed"


def variants_chart(
    rows: Sequence[VariantRow], *, legend: dict[Mark, str], x_title: str
) -> "Figure":
    """Return a mark for each seed on an axis from 0 to 100 %, the mean as a line with its band."""
    means, margins = [row.mean for row in rows], [row.margin or 0.0 for row in rows]
    band = {
        "type": "bar",
        "orientation": "h",
        "base": [mean - margin for mean, margin in zip(means, margins, strict=True)],
        "x": [2 * margin for margin in margins],
        "y": list(range(len(rows))),
        "width": 0.4,
        "marker": {"color": GREY, "opacity": 0.3},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    stroke = {
        "type": "scatter",
        "mode": "markers+text",
        "x": means,
        "y": list(range(len(rows))),
        "text": [f"{formatted(100 * mean, '.1f')} %" for mean in means],
        "textposition": "top center",
        "cliponaxis": False,
        "marker": {"symbol": "line-ns", "size": 18, "line": {"color": INK, "width": 2}},
        "hovertemplate": "%{x:.1%}<extra></extra>",
        "showlegend": False,
    }
    data = [band, stroke]
    for mark, (symbol, colour) in MARKS.items():
        of_mark = [(i, x) for i, row in enumerate(rows) if row.mark == mark for x in row.values]
        if of_mark:
            data.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": escaped(legend[mark]),
                    "x": [x for _, x in of_mark],
                    "y": [i for i, _ in of_mark],
                    "marker": {"symbol": symbol, "color": colour, "size": 9, "opacity": 0.85},
                    "hovertemplate": "%{x:.1%}<extra>%{fullData.name}</extra>",
                    "showlegend": True,
                }
            )
    return chart(
        data,
        xaxis=titled(x_title) | percent_axis(),
        yaxis=rows_axis([row.name for row in rows]),
        height=150 + ROW * len(rows),  # with a legend of three lines on a phone
    )


def slopes_chart(
    pairs: Sequence[tuple[float, float]], chosen: int, *, names: tuple[str, str, str, str]
) -> "Figure":
    """Return a line for each model from its accuracy on one part to that on another.

    `names` are those of both parts, of the mean of all and of the `chosen` model.
    """
    means = [sum(ends) / len(pairs) for ends in zip(*pairs, strict=True)]
    low, high = (find(map(find, pairs)) for find in (min, max))
    ticks = [k / 20 for k in range(floor(20 * low), ceil(20 * high) + 1)]

    def line(name: str, ends: Sequence[float], pen: int, **look: Any) -> Curve:
        return Curve(name=name, points=list(enumerate(ends)), pen=pen, dots=True, **look)

    grey = [line("", pair, 0, grey=True, faint=True) for pair in pairs]
    return lines_chart(
        [line(names[3], pairs[chosen], 4), line(names[2], means, 0), *grey],
        x_title="",
        y_title="",
        x_axis={"tickvals": [0, 1], "ticktext": [escaped(name) for name in names[:2]]},
        y_axis=percent_axis(ticks),
    )
