"""Ordinary charts as plotly figures, under one template: lines, histograms, dots and bars.

The template serves a light page, a dark page and paper: all backgrounds are transparent, the
grid is a middle grey, and what has to stand out is drawn in INK, which a page replaces by the
colour of its own text (pages/server/frame/page_style.py). plotly is imported when a chart is
built. Read before this: theme.py, curves.py (what is drawn while a run goes on).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from mlm_core.figures.curves import PENS, Curve, Level
from mlm_core.figures.theme import (
    BLUE,
    CLEAR,
    GREY,
    INK,
    ORANGE,
    SKY,
    TEMPLATE,
    escaped,
    significant,
)
from mlm_core.number_format import current_marks, formatted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

# Pixels: of a chart (Streamlit reads no template), a row of dots, a bar, between rows of bars.
HEIGHT, ROW, BAR, GAP = 340, 38, 20, 14
N_BINS = 50
# Colour is never alone: each pen of curves.py has a mark of its own.
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star")
PATTERNS = ("", "/", ".")  # of histograms over each other, and of bars beside each other
LABEL_LETTERS, TITLE_LETTERS = 22, 42
MOST_NUMBERED = 14  # layers; beyond, every second one has its number


@dataclass(frozen=True, kw_only=True)
class DotRow:
    """One row's values, one for each series."""

    name: str
    values: Sequence[float]
    errors: Sequence[float] = ()  # standard errors, or where an interval ends above
    errors_below: Sequence[float] = ()  # where it ends below, if that is another distance


def chart(data: Sequence[Mapping], **layout: object) -> "Figure":
    """Return a figure of our template, which writes numbers with the marks of here."""
    import plotly.graph_objects as go

    marks = current_marks()
    separators = marks.decimal + marks.thousands
    layout = {"template": TEMPLATE, "separators": separators, "height": HEIGHT} | layout
    return go.Figure({"data": data, "layout": layout})


def lines_chart(
    curves: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    levels: Sequence[Level] = (),
    marks: Sequence[Level] = (),
    x_axis: Mapping[str, object] | None = None,
    y_axis: Mapping[str, object] | None = None,
    height: int = HEIGHT,
) -> "Figure":
    """Return a line for each curve; `levels` lie across it, `marks` are values of x.

    `x_axis` and `y_axis` are plotly's settings of the axes: a range, ticks, "log" as the type.
    A point that is clicked reports its step as `customdata`.
    """
    drawn = [curve.points for curve in curves if curve.points and not curve.grey]
    sides = [[points[i][1] for points in drawn] for i in (0, -1)]  # values at both ends
    shapes = [_level(level, *sides) for level in levels]
    shapes += [_upright(k, mark) for k, mark in enumerate(marks)]
    return chart(
        # The first is on top.
        [_line(curve) | {"zorder": -k} for k, curve in enumerate(curves)],
        xaxis=titled(x_title) | dict(x_axis or {}),
        yaxis=titled(y_title) | dict(y_axis or {}),
        shapes=shapes,
        height=height,
    )


def layers_chart(
    lines: Mapping[str, Sequence[float]],
    *,
    x_title: str,
    y_title: str,
    errors: Mapping[str, Sequence[float]] | None = None,
    undotted: str = "",
    height: int = HEIGHT,
) -> "Figure":
    """Return proportions layer by layer, a line a name, with half of each interval."""
    curves = [
        Curve(
            name=name,
            points=list(enumerate(line)),
            pen=pen,
            dots=name != undotted,
            errors=(errors or {}).get(name, ()),
        )
        for pen, (name, line) in enumerate(lines.items())
    ]
    n_layers = max(map(len, lines.values()))
    return lines_chart(
        curves,
        x_title=x_title,
        y_title=y_title,
        height=height,
        x_axis=by_layer_axis(n_layers),
        y_axis=percent_axis(),
    )


def by_layer_axis(n_layers: int) -> dict[str, object]:
    """Return an x axis with a tick for each layer, from the embedding output up.

    >>> by_layer_axis(2)["tickvals"]
    [0, 1]
    """
    ticks = list(range(0, n_layers, 2 if n_layers > MOST_NUMBERED else 1))
    return {
        "tickvals": ticks,
        "range": [-0.5, n_layers - 0.5],
        "showgrid": False,
        "zeroline": False,
    }


def log_axis(ticks: Sequence[int]) -> dict[str, object]:
    """Return a logarithmic axis with these ticks.

    >>> log_axis([10, 1000])["ticktext"]
    ['10', '1,000']
    """
    return {
        "type": "log",
        "tickvals": list(ticks),
        "ticktext": [formatted(tick, ",") for tick in ticks],
        "showgrid": False,
    }


def percent_axis(ticks: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0)) -> dict[str, object]:
    """Return an axis for proportions, written as percentages of the reader's language."""
    pad = 0.02 * (ticks[-1] - ticks[0])
    return {
        "tickvals": list(ticks),
        "ticktext": [formatted(tick, ".0%") for tick in ticks],
        "range": [ticks[0] - pad, ticks[-1] + pad],
    }


def percent(proportion: float) -> str:
    """Return a proportion as a percentage with three digits.

    >>> percent(0.5)
    '50.0 %'
    """
    return f"{significant(100 * proportion, 3)} %"


def histogram_chart(
    groups: Mapping[str, Sequence[float]],
    *,
    low: float,
    high: float,
    x_title: str,
    y_title: str,
    marks: Sequence[Level] = (),
    n_bins: int = N_BINS,
) -> "Figure":
    """Return the histograms of named groups of values, one over the other, with `marked` values.

    Values beyond `low` and `high` are counted in the outermost bins. Sent are the counts: a
    chart of 4,000 cosines would take 70 kB.
    Raises ValueError for a range without width.
    """
    if not low < high:
        raise ValueError(f"a range from {low} to {high} can't be drawn: give the smaller one first")
    data, highest = [], 1
    for k, (name, values) in enumerate(groups.items()):
        counts, edges = np.histogram(np.clip(values, low, high), n_bins, (low, high))
        highest = max(highest, int(counts.max()))
        data.append(_steps(k, name, counts.tolist(), edges.tolist(), len(groups) > 1))
    for k, mark in enumerate(marks):
        data.append(_mark(k, mark, highest))
    return chart(
        data,
        xaxis=titled(x_title) | {"range": [low, high]},
        yaxis=titled(y_title) | {"rangemode": "tozero"},
    )


def marked(name: str, value: float) -> Level:
    """Return a value to mark, with its number in the name.

    >>> marked("mean", -0.001).name
    'mean 0.00'
    """
    # Two decimals, since marks are compared with each other and a mean may be next to 0.
    return Level(name=f"{name} {formatted(value, 'z.2f')}", value=value)


def dots_chart(
    rows: Sequence[DotRow], series: Sequence[str], *, low: float, high: float, x_title: str
) -> "Figure":
    """Return a few values for each row as marks on one axis, with their standard errors.

    Raises ValueError if a row has not one value for each series.
    """
    for row in rows:
        if len(row.values) != len(series):
            raise ValueError(f"{row.name}: {len(row.values)} values for {len(series)} series")
    data = []
    for k, name in enumerate(series):
        # Marks of one row stand a little apart, so that equal values don't hide each other.
        shift = 0.24 * (k - (len(series) - 1) / 2)
        errors, below = (
            [of_row[k] if k < len(of_row) else None for of_row in of_rows]
            for of_rows in ([row.errors for row in rows], [row.errors_below for row in rows])
        )
        reach_of = {"array": errors, "width": 0, "visible": any(errors)}
        if any(below):
            reach_of |= {"symmetric": False, "arrayminus": below}
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": escaped(name),
                "x": [row.values[k] for row in rows],
                "y": [i + shift for i in range(len(rows))],
                "text": [escaped(row.name) for row in rows],
                "error_x": reach_of,
                "marker": {"color": PENS[k % len(PENS)][0], "size": 10, "symbol": SYMBOLS[k]},
                "hovertemplate": "%{text}: %{x:.3f}<extra>%{fullData.name}</extra>",
            }
        )
    reach = (high - low) / 50
    return chart(
        data,
        xaxis=titled(x_title) | {"range": [low - reach, high + reach]},
        yaxis=rows_axis([row.name for row in rows]),
        height=90 + ROW * len(rows),
    )


def bars_chart(
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    written: Callable[[float], str],
    x_title: str = "",
    x_axis: Mapping[str, object] | None = None,
    colours: Sequence[str] | None = None,
    hollow: Sequence[bool] = (),
    marks: Sequence[float] = (),
) -> "Figure":
    """Return a row for each name with a bar of each series, and its number as it is `written`.

    `colours` are those of the rows, where they have a meaning. Rows that are `hollow` don't count.
    `marks` are what one series is compared with: a line across each bar, and its number.
    """
    rows, data = list(range(len(names))), []
    for k, (name, values) in enumerate(series.items()):
        own = list(colours or [(BLUE, ORANGE, SKY)[k % 3]] * len(names))
        empty = [i < len(hollow) and hollow[i] for i in rows]
        fills = [CLEAR if is_empty else colour for is_empty, colour in zip(empty, own, strict=True)]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": escaped(name, TITLE_LETTERS),
                "x": [float(f"{value:.5g}") for value in values],
                "y": rows,
                "text": [] if marks else [written(value) for value in values],
                "hovertext": [escaped(name) for name in names],
                "textposition": "outside",
                "cliponaxis": False,
                "marker": {
                    "color": fills,
                    "line": {"color": own, "width": 1},
                    "pattern": {"shape": PATTERNS[k % len(PATTERNS)], "size": 6, "solidity": 0.2},
                },
                "showlegend": len(series) > 1,
                "hovertemplate": "%{hovertext}: %{x:,.4~r}<extra></extra>",
            }
        )
    if marks:
        (values,) = series.values()
        pairs = list(zip(values, marks, strict=True))
        stroke = {"symbol": "line-ns", "size": BAR, "line": {"color": INK, "width": 2.5}}
        still = {"type": "scatter", "y": rows, "hoverinfo": "skip", "showlegend": False}
        data.append({"mode": "markers", "x": list(marks), "marker": stroke, **still})
        # The numbers stand beyond both.
        beyond = {"x": [max(pair) for pair in pairs], "textposition": "middle right"}
        text = [f" {written(value)} / {written(mark)}" for value, mark in pairs]
        data.append({"mode": "text", "text": text, "cliponaxis": False, **beyond, **still})
    row = BAR * len(series) + GAP
    # Room for the numbers at the ends of the bars, on a phone too.
    longest = max([1e-9, *(value for one in data for value in one["x"])])
    return chart(
        data,
        xaxis=titled(x_title)
        | {"range": [0, (1.5 if marks else 1.25) * longest]}
        | dict(x_axis or {}),
        yaxis=rows_axis(names),
        height=row * len(names) + 46 + 30 * (len(series) > 1) + 24 * bool(x_title),
        bargap=GAP / row,
    )


def counts_chart(
    names: Sequence[str],
    observed: Sequence[float],
    expected: Sequence[float] | None = None,
    *,
    colours: Sequence[str] | None = None,
) -> "Figure":
    """Return a bar for each count, with a line across it at the expected one."""
    return bars_chart(
        names,
        {"": observed},
        written=lambda count: formatted(count, ",.0f"),
        colours=colours,
        marks=expected or (),
    )


def rows_axis(names: Sequence[str]) -> dict[str, object]:
    """Return a y axis with a row for each name, first on top; a long name takes two lines."""
    lines = [wrap(name, LABEL_LETTERS, max_lines=2, placeholder=" …") for name in names]
    return {
        "tickvals": list(range(len(names))),
        "ticktext": ["<br>".join(escaped(line, LABEL_LETTERS) for line in name) for name in lines],
        "range": [len(names) - 0.5, -0.5],
        "showgrid": False,
        "zeroline": False,
    }


def titled(title: str) -> dict[str, object]:
    """Return an axis with a title in lines that a phone has room for."""
    return {"title": {"text": "<br>".join(map(escaped, wrap(title, TITLE_LETTERS)))}}


def _line(curve: Curve) -> dict:
    colour, dash = PENS[curve.pen % len(PENS)]
    colour = GREY if curve.grey else colour
    dash = ",".join(f"{length}px" for length in dash.split()) or "solid"
    xs, ys = zip(*curve.points, strict=True) if curve.points else ((), ())
    return {
        "type": "scatter",
        "mode": "lines+markers" if curve.dots else "lines",
        "name": escaped(curve.name),
        "x": list(xs),
        "y": [float(f"{y:.5g}") for y in ys],  # more digits than are told, in half of the bytes
        "customdata": list(xs) if curve.dots else None,
        "showlegend": not curve.grey,
        "opacity": 0.6 if curve.faint else 1,
        "line": {
            "color": colour,
            "dash": "solid" if curve.faint else dash,
            "width": 1.2 if curve.faint else 2.5,
        },
        "marker": {"symbol": SYMBOLS[curve.pen % len(SYMBOLS)], "size": 8, "color": colour},
        "error_y": {"array": list(curve.errors), "width": 0, "visible": bool(curve.errors)},
        "hovertemplate": "%{x:,}: %{y:,.4~r}<extra>%{fullData.name}</extra>",
    }


def _level(level: Level, starts: Sequence[float], ends: Sequence[float]) -> dict:
    """Return a line across the chart, with its name at the side where the curves are farther."""
    at_start, at_end = (
        min((abs(value - level.value) for value in side), default=0.0) for side in (starts, ends)
    )
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": level.value,
        "y1": level.value,
        "line": {"color": GREY, "width": 1.5, "dash": "dot"},
        "label": {
            "text": f"{escaped(level.name)} {level.shown or significant(level.value, 3)}",
            "textposition": "start" if at_start > at_end else "end",
            "yanchor": "bottom",
        },
    }


def _upright(k: int, mark: Level) -> dict:
    return {
        "type": "line",
        "x0": mark.value,
        "x1": mark.value,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": INK, "width": 1, "dash": ("dot", "dash")[k % 2]},
        "name": escaped(mark.name),
        "showlegend": bool(mark.name),
    }


def _steps(k: int, name: str, counts: list[int], edges: list[float], is_in_legend: bool) -> dict:
    """Return a histogram as one filled line of steps."""
    colour, dash = PENS[k % len(PENS)]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": escaped(name),
        "showlegend": is_in_legend,
        "x0": edges[0],
        "dx": round(edges[1] - edges[0], 6),
        "y": [*counts, counts[-1]],
        "fill": "tozeroy",
        "fillcolor": f"rgba({','.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))},.3)",
        "fillpattern": {"shape": PATTERNS[k % len(PATTERNS)], "size": 6, "solidity": 0.2},
        "line": {
            "shape": "hv",
            "simplify": False,  # else two histograms have not the same steps, and none can move
            "color": colour,
            "width": 1.5,
            "dash": ",".join(f"{length}px" for length in dash.split()) or "solid",
        },
        "hovertemplate": "≥ %{x:.3~r}: %{y:,}<extra></extra>",
    }


def _mark(k: int, mark: Level, height: float) -> dict:
    """Return a named value as an upright line."""
    name = escaped(mark.name)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "legendgroup": f"mark {k}",  # the same mark wherever it stands
        "x": [mark.value, mark.value],
        "y": [0, height],
        "showlegend": True,
        "line": {"color": INK, "width": 2, "dash": ("solid", "dash", "dot", "dashdot")[k % 4]},
        "hovertemplate": f"{name}<extra></extra>",
    }
