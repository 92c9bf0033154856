"""Drawings of what attention costs: lines whose slope is the power of N, and a square."""

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from mlm_core.encoder.cost import Measurement
from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, PURPLE, SKY, VERMILION, escaped

# Colour is never alone: each line has a dash of its own and its name at its end.
LINES = ((BLUE, "solid"), (SKY, "dash"), (PURPLE, "dot"), (VERMILION, "dashdot"))
SIDE = 300  # of the square for the largest N, in the drawing's units


def growth_chart(
    sizes: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    *,
    marks: Mapping[str, int],
    x_title: str,
    y_title: str,
) -> go.Figure:
    """Return lines over N on logarithmic axes; `marks` are named values of N."""
    chart = go.Figure()
    for (name, values), (colour, dash) in zip(lines.items(), LINES, strict=False):
        chart.add_scatter(
            x=list(sizes),
            y=list(values),
            name=escaped(name),
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            hovertemplate="N = %{x}: %{y:,.0f}<extra>%{fullData.name}</extra>",
        )
    for name, n_tokens in marks.items():
        chart.add_vline(x=n_tokens, line={"color": ORANGE, "dash": "dot", "width": 2})
        chart.add_annotation(
            x=math.log10(n_tokens),  # on a logarithmic axis plotly wants an annotation's exponent
            y=1,
            yref="paper",
            text=escaped(name),
            textangle=-90,
            xanchor="right",
            yanchor="top",
            showarrow=False,
        )
    return _on_log_axes(chart, sizes, x_title, y_title)


def timing_chart(
    measured: Sequence[Measurement], *, names: tuple[str, str], x_title: str, y_title: str
) -> go.Figure:
    """Return measured milliseconds beside a line of slope 2 through the largest N."""
    sizes = [measurement.n_tokens for measurement in measured]
    milliseconds = [1000 * measurement.seconds for measurement in measured]
    chart = go.Figure()
    if measured:
        line = [milliseconds[-1] * (n_tokens / sizes[-1]) ** 2 for n_tokens in sizes]
        chart.add_scatter(
            x=sizes,
            y=line,
            name=names[1],
            mode="lines",
            line={"color": GREY, "dash": "dash", "width": 2},
            hoverinfo="skip",
        )
        chart.add_scatter(
            x=sizes,
            y=milliseconds,
            name=names[0],
            mode="markers+lines",
            marker={"color": BLUE, "size": 9},
            line={"color": BLUE, "width": 1.5},
            hovertemplate="N = %{x}: %{y:.3f} ms<extra></extra>",
        )
    return _on_log_axes(chart, sizes, x_title, y_title)


def square_svg(n_tokens: int, largest: int, *, own: int, caption: str, alt: str) -> str:
    """Return the scores of one head as a square: its side is N, its area N x N.

    The square of the learner's own text stands in the same corner, outlined in orange.
    """
    side, own_side = SIDE * n_tokens / largest, SIDE * min(own, largest) / largest
    bottom = SIDE + 26
    return (
        '<div class="matrix"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {SIDE + 8} {bottom + 8}"'
        f' style="width:100%;max-width:{SIDE + 8}px">'
        f'<text x="4" y="16" font-size="13" font-family="{escaped(FONT)}" fill="currentColor">'
        f"{escaped(caption)}</text>"
        f'<rect x="2" y="{bottom - SIDE}" width="{SIDE}" height="{SIDE}" fill="none"'
        f' stroke="{GREY}" stroke-dasharray="3 4"/>'
        f'<rect x="2" y="{bottom - side:.2f}" width="{side:.2f}" height="{side:.2f}"'
        f' fill="{BLUE}" fill-opacity=".75"/>'
        f'<rect x="2" y="{bottom - own_side:.2f}" width="{own_side:.2f}" height="{own_side:.2f}"'
        f' fill="{ORANGE}" fill-opacity=".6" stroke="{ORANGE}" stroke-width="2.5"/>'
        "</svg></div>"
    )


def _on_log_axes(chart: go.Figure, sizes: Sequence[int], x_title: str, y_title: str) -> go.Figure:
    chart.update_xaxes(
        type="log", title=x_title, tickvals=list(sizes), ticktext=[str(size) for size in sizes]
    )
    chart.update_yaxes(type="log", title=y_title, dtick=1, exponentformat="SI")
    chart.update_layout(
        height=380,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "y": -0.25, "x": 0},
        hovermode="closest",
    )
    return chart
