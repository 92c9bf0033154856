"""Drawings of losses and of one step, and their arithmetic."""

import math

import pytest

from mlm_core.figures.prediction.losses import (
    MOST_TERMS,
    logit_arithmetic,
    loss_arithmetic,
    loss_curve,
    loss_rows_chart,
    softmax_arithmetic,
    surprise_arithmetic,
)
from mlm_core.figures.prediction.one_step import (
    bias_arithmetic,
    gradient_arithmetic,
    promise_arithmetic,
)
from mlm_core.figures.theme import BLUE, CLEAR


def test_the_mean_is_written_out_and_a_long_one_shortened():
    assert loss_arithmetic([1.0, 2.0, 6.0]) == (
        r"\mathcal{L} = \frac{1.00 + 2.00 + 6.00}{3} = 3.00"
    )
    long = loss_arithmetic([2.0] * (MOST_TERMS + 3))
    assert long.count("2.00 +") == MOST_TERMS and r"\cdots" in long and "{11} = 2.00" in long


def test_the_arithmetic_of_one_entry():
    assert logit_arithmetic([1.0, 2.0], [3.0, 4.0], 0.5, 11.5) == (
        r"\begin{aligned} u_x &= (1.00)(3.00) + (2.00)(4.00)"
        r" \\ &\quad + (0.50) = 11.50 \end{aligned}"
    )
    assert r"_{5}" in logit_arithmetic([1.0] * 7, [1.0] * 7, 0.0, 7.0)
    assert softmax_arithmetic(1.0, 1.5514, 0.5761).endswith("= 0.576")
    assert surprise_arithmetic(0.00012, 9.028) == r"-\log(1.20 \cdot 10^{-4}) = 9.03"


def test_the_curve_is_minus_the_logarithm():
    chart = loss_curve([("true", "cat", 0.25)], x_title="P", y_title="loss")
    curve, mark = chart.data
    assert all(y == pytest.approx(-math.log(x)) for x, y in zip(curve.x, curve.y, strict=True))
    assert mark.y[0] == pytest.approx(math.log(4))


def test_the_arithmetic_of_a_step_has_its_numbers():
    assert gradient_arithmetic(0.25).endswith("y_x - 1 = 0.250 - 1 = -0.750")
    bias = bias_arithmetic(0.5, 0.575, 0.1, -0.75)
    assert r"0.5000 - 0.1 \cdot (-0.750) = 0.5750" in bias
    promise = promise_arithmetic(2.0, 0.1, 5.0, 1.5)
    assert r"2.000 - 0.1 \cdot 5.00 = 1.500" in promise


def test_what_is_not_in_the_mean_has_a_hollow_bar():
    (bars,) = loss_rows_chart(["a", "##b"], [("", [1.0, 2.0])], counts=[True, False]).data
    assert bars.marker.color == (BLUE, CLEAR) and bars.marker.line.color == (BLUE, BLUE)
