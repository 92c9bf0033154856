"""Drawings of alpha: proportions of languages, and tokens per word by alpha.

Read before this: ../bars.py, ../prediction/packing.py.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    TOKEN_FONT,
    VERMILION,
    escaped,
    significant,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ROW, LEFT, BAR, NUMBER = 44, 96, 300, 74  # the drawing's units
# One colour, dash and marker a language, so that colour is not the only difference.
LINES = (
    (BLUE, "solid", "circle"),
    (SKY, "dash", "square"),
    (GREEN, "dot", "diamond"),
    (GREY, "dashdot", "x"),
    (PURPLE, "longdash", "triangle-up"),
    (VERMILION, "solid", "star"),
)

STYLE = f"""
.shares svg {{ display: block; width: 100%; height: auto; }}
.shares text {{ font-family: {TOKEN_FONT}; font-size: 14px; fill: currentColor; }}
.shares text.name {{ font-family: {FONT}; font-size: 15px; }}
"""


def shares_svg(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    *,
    letters: tuple[str, str] = ("p", "q"),
    alt: str,
) -> str:
    """Return two bars a language: proportion in the data (grey) and sampled (blue).

    The axis always runs from 0 to 1, so that views can be compared.
    """
    parts = []
    for i, (name, p, q) in enumerate(zip(names, before, after, strict=True)):
        y = ROW * i
        parts.append(
            f'<text class="name" x="{LEFT - 26}" y="{y + 25}" font-size="15" text-anchor="end">'
            f"{escaped(name, 10)}</text>"
        )
        for k, (proportion, colour) in enumerate(((p, GREY), (q, BLUE))):
            top = y + 4 + 18 * k
            parts.append(
                f'<text x="{LEFT - 8}" y="{top + 13}" font-size="14" text-anchor="end"'
                f' opacity=".8">{escaped(letters[k])}</text>'
                f'<rect x="{LEFT}" y="{top}" width="{BAR}" height="15" rx="3" fill="{GREY}"'
                ' fill-opacity=".08"/>'
                f'<rect x="{LEFT}" y="{top}" width="{max(1.0, BAR * proportion):.1f}" height="15"'
                f' rx="3" fill="{colour}"/>'
                f'<text x="{LEFT + BAR + 8}" y="{top + 13}" font-size="14">'
                f"{significant(100 * proportion, 3)} %</text>"
            )
    width, height = LEFT + BAR + NUMBER, ROW * len(names)
    return (
        '<div class="shares"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{width + 60}px">{"".join(parts)}</svg></div>'
    )


def alpha_chart(
    alphas: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    current: float,
    x_title: str,
    y_title: str,
) -> "Figure":
    """Return tokens per word against alpha, a line for each language."""
    import plotly.graph_objects as go

    chart = go.Figure()
    for (name, values), (colour, dash, marker) in zip(curves.items(), LINES, strict=False):
        chart.add_scatter(
            x=list(alphas),
            y=list(values),
            name=escaped(name),
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"symbol": marker, "size": 9},
            hovertemplate="α = %{x}: %{y:.2f}<extra>%{fullData.name}</extra>",
        )
    chart.add_vline(x=current, line={"color": GREY, "dash": "dot", "width": 1.5})
    chart.update_xaxes(title=x_title, range=[-0.04, 1.04], showgrid=False)
    chart.update_yaxes(title=y_title, rangemode="tozero")
    chart.update_layout(
        height=380,
        margin={"l": 10, "r": 10, "t": 20, "b": 10},
        legend={"orientation": "h", "y": -0.25, "x": 0},
        hovermode="x",
    )
    return chart
