"""The drawings of the lesson on classes: the chain of terms and its softmax."""

import re

import pytest

from mlm_core.figures.finetuning.classification import ClassRow, class_grid_svg
from mlm_core.figures.finetuning.classification_terms import (
    Link,
    chain_reach,
    chain_svg,
    softmax_tex,
)


def test_a_row_without_a_probability_for_each_class_is_refused():
    row = ClassRow(name="head", verdict="says b", probabilities=(1.0,))
    with pytest.raises(ValueError, match="1 probabilities for 2 classes"):
        class_grid_svg([row], ["a", "b"], right=0, alt="")


def test_each_link_of_a_chain_begins_where_the_last_one_ended():
    links = [Link(name="one", value=2.0), Link(name="two", value=-3.0), Link(name="c", value=0.5)]
    reach = chain_reach([links])
    assert reach == (-1.0, 2.0)
    svg = chain_svg(links, Link(name="u", value=-0.5), reach=reach, alt="")
    bars = re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', svg)
    spans = [(float(x), float(x) + float(width)) for x, width in bars]
    zero, unit = spans[0][0], (spans[0][1] - spans[0][0]) / 2
    assert spans[1] == pytest.approx((zero - unit, zero + 2 * unit), abs=0.2)
    assert spans[2] == pytest.approx((zero - unit, zero - 0.5 * unit), abs=0.2)
    assert spans[3] == pytest.approx((zero - 0.5 * unit, zero), abs=0.2)
    assert "+2.000" in svg and "−3.000" in svg and ">−0.500<" in svg


def test_the_softmax_is_written_out_and_long_sums_are_cut():
    assert softmax_tex([1.0, 3.0], 1, 0.75) == (
        r"\frac{3.00}{1.00 + 3.00} = \frac{3.00}{4.00} = 0.750"
    )
    assert r"\underbrace{\cdots}_{16}" in softmax_tex([1.0] * 20, 0, 0.05)
    with pytest.raises(ValueError, match="class 2 of 2"):
        softmax_tex([1.0, 3.0], 2, 0.5)
