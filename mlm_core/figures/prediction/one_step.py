"""The gradient y - onehot as bars to both sides of 0, and the arithmetic of one step.

Read before this: losses.py.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.charts import bars_chart
from mlm_core.figures.theme import BLUE, VERMILION, significant, tex
from mlm_core.number_format import in_formula

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def gradient_chart(rows: Sequence[tuple[str, float]], *, x_title: str) -> "Figure":
    """Return a bar for each (name, entry of y - onehot), on the fixed range of an entry, -1 to 1.

    Below 0 a bar is vermilion and its logit rises in a step; above 0 it is blue and falls.
    """
    names, values = zip(*rows, strict=True) if rows else ((), ())
    return bars_chart(
        names,
        {"": values},
        written=lambda value: significant(value, 3),
        x_title=x_title,
        x_axis={"range": [-1.6, 1.4], "dtick": 0.5},  # room for the numbers, on a phone too
        colours=[BLUE if value >= 0 else VERMILION for value in values],
    )


def gradient_arithmetic(probability: float) -> str:
    """Return dL/du = y - 1 at the right token, with its numbers."""
    return (
        r"\frac{\partial L}{\partial u_x} = y_x - 1"
        rf" = {tex(probability)} - 1 = {in_formula(probability - 1, '.3f')}"
    )


def bias_arithmetic(before: float, after: float, rate: float, gradient: float) -> str:
    """Return b' = b - rate * (y - 1) at the right token, with its numbers."""
    # Two lines, so that a phone shows it whole.
    return (
        r"\begin{aligned} b'_x &= b_x - \eta\,(y_x - 1) \\ &="
        rf" {in_formula(before, '.4f')} - {in_formula(rate, 'g')}"
        rf" \cdot ({in_formula(gradient, '.3f')}) = {in_formula(after, '.4f')} \end{{aligned}}"
    )


def promise_arithmetic(loss: float, rate: float, squared_length: float, promised: float) -> str:
    """Return the loss that the gradient promises, L - rate * |gradient|^2, with its numbers."""
    return (
        r"\begin{aligned} L' &\approx L - \eta\,\lVert \nabla L \rVert^2 \\ &="
        rf" {in_formula(loss, '.3f')} - {in_formula(rate, 'g')}"
        rf" \cdot {tex(squared_length)} = {in_formula(promised, '.3f')} \end{{aligned}}"
    )
