"""The drawing of the largest dimensions' proportions: heights, the running sum, safe text."""

import re
from xml.etree import ElementTree

import pytest

from mlm_core.figures.embeddings.isotropy_shares import STEP, shares_svg

HOSTILE = "<script>'\"&"


def parse(html: str) -> ElementTree.Element:
    assert "<script>" not in html
    return ElementTree.fromstring(html)  # well-formed


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


def test_a_learners_words_stay_text():
    parse(shares(rest=(HOSTILE, 0.25), alt=HOSTILE))
