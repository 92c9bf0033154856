"""Drawings of what attention costs: lines whose slope is the power of N, and a square."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.encoder.cost import Measurement
from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.svg import rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, ORANGE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SIDE = 300  # of the square for the largest N, in the drawing's units


def growth_chart(
    sizes: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    *,
    marks: Mapping[str, int],
    x_title: str,
    y_title: str,
) -> "Figure":
    """Return lines over N on logarithmic axes; `marks` are named values of N."""
    curves = [
        Curve(name=name, points=list(zip(sizes, values, strict=True)), pen=pen, dots=True)
        for pen, (name, values) in enumerate(lines.items())
    ]
    named = [Level(name=name, value=n_tokens) for name, n_tokens in marks.items()]
    return _on_log_axes(curves, sizes, x_title, y_title, named)


def timing_chart(
    measured: Sequence[Measurement], *, names: tuple[str, str], x_title: str, y_title: str
) -> "Figure":
    """Return measured milliseconds beside a line of slope 2 through the largest N."""
    points = [(each.n_tokens, 1000 * each.seconds) for each in measured]
    last, most = points[-1]
    slope = [(n_tokens, most * (n_tokens / last) ** 2) for n_tokens, _ in points]
    curves = [
        Curve(name=names[0], points=points, pen=0, dots=True),
        Curve(name=names[1], points=slope, pen=1),
    ]
    return _on_log_axes(curves, [n_tokens for n_tokens, _ in points], x_title, y_title)


def square_svg(n_tokens: int, largest: int, *, own: int, caption: str, alt: str) -> str:
    """Return the scores of one head as a square: its side is N, its area N x N.

    The square of the learner's own text stands in the same corner, outlined in orange.
    """
    side, own_side = SIDE * n_tokens / largest, SIDE * min(own, largest) / largest
    bottom = SIDE + 26
    parts = [
        text(4, 16, caption, class_="plain"),
        rect(2, bottom - SIDE, SIDE, SIDE, fill="none", stroke=GREY, stroke_dasharray="3 4"),
        rect(2, bottom - side, side, side, fill=BLUE, fill_opacity=0.75),
        rect(
            2,
            bottom - own_side,
            own_side,
            own_side,
            fill=ORANGE,
            fill_opacity=0.6,
            stroke=ORANGE,
            stroke_width=2.5,
        ),
    ]
    return svg("square", parts, SIDE + 8, bottom + 8, alt=alt, size=13)


def _on_log_axes(
    curves: Sequence[Curve],
    sizes: Sequence[int],
    x_title: str,
    y_title: str,
    marks: Sequence[Level] = (),
) -> "Figure":
    return lines_chart(
        curves,
        x_title=x_title,
        y_title=y_title,
        marks=marks,
        x_axis=log_axis(sizes),
        y_axis={"type": "log", "dtick": 1, "exponentformat": "SI"},
    )
