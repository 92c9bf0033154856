"""Losses: the arithmetic of the mean, -log P as a curve, the loss at each token.

Read before this: predictions.py.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.charts import bars_chart, chart
from mlm_core.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, escaped, tex
from mlm_core.number_format import formatted, in_formula

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_TERMS = 8  # of a written-out mean
# Colour is never alone: each kind has its name beside it, and a shape of its own in the chart.
MARKS = {"certain": GREY, "best": BLUE, "true": GREEN, "own": PURPLE, "uniform": VERMILION}


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
    """Return the curve of -log P over P, with (kind, name, probability) as marks on it."""
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


def loss_rows_chart(
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    counts: Sequence[bool] | None = None,
    largest: float | None = None,
) -> "Figure":
    """Return the loss at each token as a bar for each (title, losses).

    Where `counts` is false the bar is hollow: the position is not in the mean.
    """
    return bars_chart(
        names,
        dict(series),
        written=_two_decimals,
        hollow=[not one for one in counts or ()],
        x_axis=None if largest is None else {"range": [0, 1.25 * largest]},
    )


def _two_decimals(loss: float) -> str:
    return formatted(loss, "z.2f")
