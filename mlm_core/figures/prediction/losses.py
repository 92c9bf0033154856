"""Drawings of losses: the mean, -log P as a scale and as a curve, the loss at each token.

Read before this: predictions.py.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.charts import chart
from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    TOKEN_FONT,
    VERMILION,
    escaped,
    tex,
)
from mlm_core.number_format import formatted, in_formula

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_TERMS = 8  # of a written-out mean
# Colour is never alone: each kind has its name beside it, and a shape of its own in the chart.
MARKS = {"certain": GREY, "best": BLUE, "true": GREEN, "own": PURPLE, "uniform": VERMILION}

STYLE = f"""
.dial svg, .places svg {{ display: block; width: 100%; height: auto; }}
.dial text, .places text {{ font-size: 14px; fill: currentColor; }}
.dial .token, .places .token {{ font-family: {TOKEN_FONT}; }}
"""


def loss_arithmetic(losses: Sequence[float]) -> str:
    r"""Return the mean of the losses written out, as a line of LaTeX with numbers only.

    >>> loss_arithmetic([1.0, 2.5])
    '\\mathcal{L} = \\frac{1.00 + 2.50}{2} = 1.75'
    """
    terms = [in_formula(loss, ".2f") for loss in losses[:MOST_TERMS]]
    terms += [r"\cdots"] * (len(losses) > MOST_TERMS)
    mean = sum(losses) / len(losses)
    shown = in_formula(mean, ".2f")
    return rf"\mathcal{{L}} = \frac{{{' + '.join(terms)}}}{{{len(losses)}}} = {shown}"


def logit_arithmetic(
    transformed: Sequence[float], row: Sequence[float], bias: float, logit: float
) -> str:
    """Return u = t · E_x + b written out: the first products, how many more, and the sum."""
    # Two lines, so that a phone shows it whole.
    terms = " + ".join(
        f"({in_formula(a, '.2f')})({in_formula(b, '.2f')})"
        for a, b in zip(transformed[:2], row, strict=False)
    )
    more = len(row) - 2
    rest = rf" + \underbrace{{\cdots}}_{{{more}}}" if more > 0 else ""
    return (
        rf"\begin{{aligned}} u_x &= {terms} \\ &\quad{rest} + ({in_formula(bias, '.2f')})"
        rf" = {in_formula(logit, '.2f')} \end{{aligned}}"
    )


def softmax_arithmetic(logit: float, log_total: float, probability: float) -> str:
    """Return P = e^u / (the sum over the vocabulary) written out; the sum comes as its log."""
    above, below = in_formula(logit, ".2f"), in_formula(log_total, ".2f")
    return rf"y_x = \frac{{e^{{{above}}}}}{{e^{{{below}}}}} = {tex(probability)}"


def surprise_arithmetic(probability: float, loss: float) -> str:
    """Return -log P written out."""
    return rf"-\log({tex(probability)}) = {in_formula(loss, '.2f')}"


def loss_curve(points: Sequence[tuple[str, str, float]], *, x_title: str, y_title: str) -> "Figure":
    """Return the curve of -log P over P, with (kind, name, probability) as marks on it.

    Most words of a vocabulary are near P = 0; `dial_svg` spreads them.
    """
    grid = [10 ** (-4 + 4 * i / 200) for i in range(201)]
    curve = {
        "type": "scatter",
        "mode": "lines",
        "x": grid,
        "y": [-math.log(p) for p in grid],
        "line": {"color": GREY, "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    symbols = dict(zip(MARKS, ("circle", "diamond", "star", "square", "x"), strict=True))
    marks = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": escaped(name, 40),
            "x": [probability],
            "y": [-math.log(max(probability, 1e-30))],
            "marker": {"color": MARKS[kind], "size": 12, "symbol": symbols[kind]},
            "showlegend": True,
            "hovertemplate": "P = %{x:.4f}: %{y:.2f}<extra>%{fullData.name}</extra>",
        }
        for kind, name, probability in points
    ]
    return chart(
        [curve, *marks],
        xaxis={"title": {"text": escaped(x_title)}, "range": [-0.03, 1.03]},
        yaxis={"title": {"text": escaped(y_title)}, "rangemode": "tozero"},
    )


def dial_svg(points: Sequence[tuple[str, str, float]], *, largest: float, alt: str) -> str:
    """Return a horizontal scale with each (kind, name, loss) as a dot."""
    row, left, width = 40, 8, 380
    span = max(largest, max((loss for _, _, loss in points), default=0.0)) or 1.0
    parts = []
    for i, (kind, name, loss) in enumerate(points):
        y, x = row * i, left + (width - 2 * left) * loss / span
        parts.append(
            f'<text x="{left}" y="{y + 15}">{escaped(name, 40)}</text>'
            f'<text x="{width + 6}" y="{y + 31}" class="token">{formatted(abs(loss), ".2f")}</text>'
            f'<line x1="{left}" x2="{width - left}" y1="{y + 26}" y2="{y + 26}" stroke="{GREY}"'
            ' stroke-opacity=".35" stroke-width="3"/>'
            f'<line x1="{left}" x2="{x:.1f}" y1="{y + 26}" y2="{y + 26}" stroke="{MARKS[kind]}"'
            f' stroke-width="5"/><circle cx="{x:.1f}" cy="{y + 26}" r="7" fill="{MARKS[kind]}"/>'
        )
    return _svg("dial", parts, width + 56, row * len(points), alt)


def loss_rows_svg(
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    counts: Sequence[bool] | None = None,
    largest: float | None = None,
    alt: str,
) -> str:
    """Return the loss at each token as a bar; each (title, losses) is a row.

    Where `counts` is false the bar is hollow: the position is not in the mean.
    """
    colours = (BLUE, ORANGE, SKY)
    row, bar, left, top = 18 * len(series) + 8, 230, 126, 24 * (len(series) > 1)
    span = largest or max((max(v, default=0.0) for _, v in series), default=0.0) or 1.0
    parts = []
    for k, (title, _) in enumerate(series if top else ()):
        x = left + (170 if len(series) < 3 else 130) * k
        parts.append(
            f'<rect x="{x - 120}" y="3" width="13" height="13" fill="{colours[k]}"/>'
            f'<text x="{x - 102}" y="15">{escaped(title, 22)}</text>'
        )
    for i, name in enumerate(names):
        y = top + row * i
        parts.append(
            f'<text class="token" x="{left - 8}" y="{y + row / 2 + 5:.0f}" text-anchor="end">'
            f"<title>{escaped(name[:200])}</title>{escaped(name, 13)}</text>"
        )
        for k, (_, losses) in enumerate(series):
            filled = counts is None or counts[i]
            fill, edge = (colours[k], 1) if filled else ("none", 0.5)
            size = bar * min(1.0, losses[i] / span)
            parts.append(
                f'<rect x="{left}" y="{y + 4 + 18 * k}" width="{size:.1f}" height="14" rx="2"'
                f' fill="{fill}" stroke="{colours[k]}" stroke-opacity="{edge}"/>'
                f'<text x="{left + size + 6:.1f}" y="{y + 16 + 18 * k}">'
                f"{formatted(losses[i], '.2f')}</text>"
            )
    return _svg("places", parts, left + bar + 56, top + row * len(names), alt)


def _svg(name: str, parts: Sequence[str], width: int, height: int, alt: str) -> str:
    return (
        f'<div class="{name}"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {max(1, height)}"'
        f' style="max-width:{width * 1.15:.0f}px">{"".join(parts)}</svg></div>'
    )
