"""The drawings of the lesson on classes: lengths, marks beside colour, and what is escaped."""

import re

import pytest

from mlm_core.figures.finetuning.classification import TRACK, ClassRow, class_grid_svg
from mlm_core.figures.finetuning.classification_confusion import confusion_svg
from mlm_core.figures.finetuning.classification_terms import (
    Link,
    chain_reach,
    chain_svg,
    fixed,
    softmax_tex,
    strip_svg,
)
from mlm_core.figures.finetuning.classification_variants import VariantRow, variants_svg

HOSTILE = "<b onload='x'>&"
AXES = {"row_title": "true", "column_title": "said", "alt": "counts"}


def row(*probabilities, name="head"):
    return ClassRow(name=name, verdict="says b", probabilities=probabilities)


def test_a_bar_is_as_long_as_its_probability_and_the_verdict_has_a_mark():
    svg = class_grid_svg([row(0.25, 0.75), row(0.5, 0.5)], ["a", "b"], right=1, alt="two models")
    widths = [float(w) for w in re.findall(r'width="([\d.]+)" height="18" rx="3" fill="#0', svg)]
    assert widths == pytest.approx([TRACK * p for p in (0.25, 0.75, 0.5, 0.5)], abs=0.06)
    # One tick at the true class, one at the row that is right; of two alike the first counts.
    assert svg.count("✓") == 2 and svg.count("✗") == 1
    assert "0.75" in svg and 'aria-label="two models"' in svg


def test_a_row_without_a_probability_for_each_class_is_refused():
    with pytest.raises(ValueError, match="1 probabilities for 2 classes"):
        class_grid_svg([row(1.0)], ["a", "b"], right=0, alt="")


def test_each_cell_is_a_button_with_its_count_and_one_is_reached_by_tab():
    svg = confusion_svg([[3, 1, 0], [0, 5, 2], [0, 0, 7]], ["a", "b", "c"], selected=(1, 2), **AXES)
    assert re.findall(r'data-value="(\d,\d)"', svg) == [f"{i},{j}" for i in "012" for j in "012"]
    assert svg.count('tabindex="0"') == 1
    assert 'data-value="1,2" data-row="1" data-column="2" role="button" tabindex="0"' in svg
    assert 'aria-label="b → c: 2"' in svg


def test_a_cells_shade_is_its_share_of_its_row_and_an_empty_row_has_none():
    svg = confusion_svg([[3, 1], [0, 0]], ["a", "b"], selected=None, **AXES)
    shades = re.findall(r'class="cell"[^>]*fill-opacity="([\d.]+)"', svg)
    assert shades == ["0.750", "0.250", "0.000", "0.000"]


@pytest.mark.parametrize("n", [2, 5, 20])
def test_a_matrix_of_any_size_keeps_inside_its_frame(n):
    names = [f"class {i} with a long name" for i in range(n)]
    svg = confusion_svg([[i] * n for i in range(n)], names, selected=None, **AXES)
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
    assert all(float(x) < width for x in re.findall(r'class="cell" x="([\d.]+)"', svg))
    assert all(float(y) < height for y in re.findall(r'class="cell" x="[\d.]+" y="([\d.]+)"', svg))


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


def test_a_chain_of_nothing_has_a_scale():
    assert chain_reach([]) == (-1.0, 1.0)
    assert chain_reach([[Link(name="a", value=0.0)]]) == (-1.0, 1.0)


def test_the_strip_has_a_square_for_each_number_and_rings_those_that_are_marked():
    svg = strip_svg([0.5, -1.0, 0.0], marked=[1], alt="h")
    squares = re.findall(r'<rect x="\d+" y="\d+"[^>]*fill="(#\w+)" fill-opacity="([\d.]+)"', svg)
    assert squares == [("#0072B2", "0.50"), ("#D55E00", "1.00"), ("#0072B2", "0.00")]
    assert svg.count("stroke-width") == 1
    assert "<svg" in strip_svg([], alt="nothing")


def test_the_softmax_is_written_out_and_long_sums_are_cut():
    assert softmax_tex([1.0, 3.0], 1, 0.75) == (
        r"\frac{3.00}{1.00 + 3.00} = \frac{3.00}{4.00} = 0.750"
    )
    assert r"\underbrace{\cdots}_{16}" in softmax_tex([1.0] * 20, 0, 0.05)
    with pytest.raises(ValueError, match="class 2 of 2"):
        softmax_tex([1.0, 3.0], 2, 0.5)


def test_numbers_that_are_added_up_have_the_same_decimals():
    assert [fixed(value) for value in (1.0, -0.0126, 123.4)] == ["1.000", "−0.013", "123.400"]


def test_each_seed_has_a_dot_and_only_what_has_a_margin_a_band():
    rows = [
        VariantRow(name="all", values=(0.5, 0.6, 0.7), mean=0.6, margin=0.08),
        VariantRow(name="majority", values=(0.3,), mean=0.3, margin=None, mark="baseline"),
    ]
    legend = {"seed": "a seed", "baseline": "no encoder", "own": "yours"}
    svg = variants_svg(rows, legend=legend, x_title="share right", alt="two ways")
    assert svg.count("<title>50.0 %") == 1 and "60.0 %" in svg and "30.0 %" in svg
    assert svg.count('fill-opacity=".25"') == 1
    assert "a seed" in svg and "no encoder" in svg and "yours" not in svg


def test_what_a_learner_typed_is_escaped_everywhere():
    drawn = [
        class_grid_svg([row(1.0, name=HOSTILE)], [HOSTILE], right=0, alt=HOSTILE),
        confusion_svg([[1]], [HOSTILE], selected=None, row_title=HOSTILE, column_title="", alt=""),
        chain_svg([], Link(name=HOSTILE, value=1.0), reach=(0.0, 1.0), alt=HOSTILE),
        strip_svg([1.0], alt=HOSTILE),
        variants_svg(
            [VariantRow(name=HOSTILE, values=(0.5,), mean=0.5, margin=None, mark="own")],
            legend={"own": HOSTILE},
            x_title=HOSTILE,
            alt=HOSTILE,
        ),
    ]
    for svg in drawn:
        assert "<b " not in svg and "&lt;b " in svg
