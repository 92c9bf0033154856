"""The drawings of the lesson on classes: the bars of words and the softmax."""

import re

import pytest

from mlm_core.figures.finetuning.classification_terms import moves_svg, softmax_tex


def test_a_words_bar_goes_right_above_zero_and_left_below():
    svg = moves_svg(["good", "not"], [1.0, -0.5], alt="")
    (x, width), (x_below, width_below) = [
        (float(x), float(width))
        for x, width in re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', svg)
    ]
    assert width_below == width / 2 and x_below + width_below == x
    assert "+1.00" in svg and "−0.50" in svg


def test_the_softmax_is_written_out_and_long_sums_are_cut():
    assert softmax_tex([1.0, 3.0], 1, 0.75) == (
        r"\frac{3.00}{1.00 + 3.00} = \frac{3.00}{4.00} = 0.750"
    )
    assert r"\underbrace{\cdots}_{16}" in softmax_tex([1.0] * 20, 0, 0.05)
    with pytest.raises(ValueError, match="class 2 of 2"):
        softmax_tex([1.0, 3.0], 2, 0.5)
