"""The drawings of the lesson on isotropy: a histogram, ranked shares, dots, lines by layer."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from mlm_core.figures.embeddings.isotropy import (
    BARS,
    N_BINS,
    Mark,
    count_bins,
    histogram_svg,
    ticks,
)
from mlm_core.figures.embeddings.isotropy_dots import DotRow, dots_svg
from mlm_core.figures.embeddings.isotropy_layers import layers_svg
from mlm_core.figures.embeddings.isotropy_shares import STEP, shares_svg

HOSTILE = "<script>'\"&"


def parse(html: str) -> ElementTree.Element:
    assert "<script>" not in html
    return ElementTree.fromstring(html)  # well-formed


def histogram(values, **more):
    options = {"low": 0.0, "high": 1.0, "x_title": "cosine", "alt": "a histogram"} | more
    return histogram_svg(values, **options)


def shares(values=(0.5, 0.25), **more):
    options = {
        "rest": ("3 others", 1 - sum(values)),
        "chosen": 0,
        "x_title": "dimension",
        "sum_title": "sum",
        "alt": "shares",
    }
    names = [str(i) for i in range(len(values))]
    return shares_svg(names, values, **(options | more))


def test_every_value_is_counted_once_and_those_beyond_in_the_outermost_bars():
    values = [-5.0, 0.0, 0.019, 0.5, 1.0, 9.0]
    counts = count_bins(values, 0.0, 1.0)
    assert len(counts) == N_BINS == 50 and sum(counts) == len(values)
    assert (counts[0], counts[25], counts[-1]) == (3, 1, 2)


def test_the_highest_bar_fills_the_height_and_one_half_as_frequent_half_of_it():
    heights = [float(h) for h in re.findall(r"v-([\d.]+)h", histogram([0.1, 0.1, 0.9]))]
    assert heights == [BARS, BARS / 2]


def test_a_mark_stands_at_its_value_on_the_axis():
    html = histogram([0.5], marks=(Mark(name="mean", value=0.25),), width=420)
    x = float(re.search(r'd="M([\d.]+) [\d.]+V', html)[1])
    assert x == pytest.approx(10 + 0.25 * 400)
    assert "mean 0.25" in html


def test_a_mark_at_the_right_edge_has_its_name_at_its_left():
    html = histogram([0.5], marks=(Mark(name="a long name indeed", value=1.0),))
    assert 'text-anchor="end">a long name indeed' in html


def test_ticks_are_round_and_few_whatever_the_range():
    for low, high in [(-0.5, 1.0), (-8.3, 0.2), (0.0, 0.0007), (-1000.0, 250.0)]:
        found = ticks(low, high)
        assert 2 <= len(found) <= 8
        assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found)
        steps = {round(b - a, 9) for a, b in pairwise(found)}
        assert len(steps) == 1


def test_a_range_without_width_is_refused():
    with pytest.raises(ValueError, match="smaller one first"):
        histogram([0.5], low=1.0)


def test_the_bars_are_as_high_as_their_shares_and_can_be_reached_by_keys():
    html = shares()
    heights = [float(h) for h in re.findall(rf'width="{STEP - 8}" height="([\d.]+)"', html)]
    assert heights[0] == pytest.approx(2 * heights[1])
    assert [f'data-value="0,{i}"' in html for i in range(3)] == [True, True, False]
    assert html.count('tabindex="0"') == 1


def test_the_running_sum_ends_at_the_top_when_the_shares_sum_to_one():
    points = re.search(r'polyline points="([^"]+)"', shares())[1].split()
    heights = [float(point.split(",")[1]) for point in points]
    assert heights == sorted(heights, reverse=True)  # upwards is less in a drawing
    assert heights[-1] == pytest.approx(10)


def test_a_dimension_that_lowers_the_cosine_stays_in_the_drawing():
    html = shares((1.4, -0.1))
    parse(html)
    assert 'height="-' not in html


def test_names_and_shares_must_match():
    with pytest.raises(ValueError, match="1 names for 2 shares"):
        shares_svg(["a"], [0.5, 0.5], rest=("", 0.0), chosen=0, x_title="", sum_title="", alt="")


def test_each_series_has_a_shape_and_colour_of_its_own_and_errors_are_as_long_as_they_are():
    html = dots_svg(
        [DotRow(name="w", values=[0.2, 0.8], errors=[0.1, 0.2])],
        ["before", "after"],
        low=0.0,
        high=1.0,
        x_title="x",
        alt="dots",
    )
    marks = re.findall(r'<path d="(M[^"]+)" fill="(#\w+)" transform="translate\(([\d.]+)', html)
    assert len({shape for shape, _, _ in marks}) == len({c for _, c, _ in marks}) == 2
    lines = [
        float(b) - float(a) for a, b in re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)" stroke="#', html)
    ]
    assert lines[1] == pytest.approx(2 * lines[0], abs=0.3)  # rounded to a tenth, twice


def test_an_unknown_value_has_no_dot():
    row = DotRow(name="w", values=[float("nan"), 0.5])
    html = dots_svg([row], ["a", "b"], low=0.0, high=1.0, x_title="x", alt="dots")
    assert html.count('<path d="M') - html.count("opacity") == 2 + 1  # the legend's, and one
    assert "nan" not in html.lower()


def test_a_row_needs_a_value_for_each_series():
    row = DotRow(name="w", values=[0.5])
    with pytest.raises(ValueError, match="1 values for 2 series"):
        dots_svg([row], ["a", "b"], low=0.0, high=1.0, x_title="x", alt="dots")


@pytest.mark.parametrize("n", [1, 3, 13, 25])
def test_layers_have_their_numbers_however_few_or_many_there_are(n):
    html = layers_svg(
        [("raw", [0.5] * n), ("z", [0.0] * n)],
        low=0.0,
        high=1.0,
        x_title="layer",
        y_title="cosine",
        alt="layers",
    )
    numbers = re.findall(r'y="227" text-anchor="middle">(\d+)<', html)
    assert numbers == [str(i) for i in range(0, n, 2 if n > 14 else 1)]


def test_lines_of_different_length_are_refused():
    with pytest.raises(ValueError, match="different numbers of layers"):
        layers_svg(
            [("a", [0.1]), ("b", [0.1, 0.2])], low=0.0, high=1.0, x_title="", y_title="", alt=""
        )


def test_a_learners_words_stay_text_in_every_drawing():
    parse(histogram([0.5], x_title=HOSTILE, alt=HOSTILE, marks=(Mark(name=HOSTILE, value=0.1),)))
    parse(shares(rest=(HOSTILE, 0.25), alt=HOSTILE))
    row = DotRow(name=HOSTILE, values=[0.5])
    parse(dots_svg([row], [HOSTILE], low=0.0, high=1.0, x_title=HOSTILE, alt=HOSTILE))
    lines = [(HOSTILE, [0.5, 0.6])]
    parse(layers_svg(lines, low=0.0, high=1.0, x_title=HOSTILE, y_title=HOSTILE, alt=HOSTILE))
