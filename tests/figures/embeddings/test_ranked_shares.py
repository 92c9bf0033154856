"""The drawing of the largest dimensions' proportions: the running sum."""

import re

import pytest

from mlm_core.figures.embeddings.isotropy_shares import shares_svg
from mlm_core.figures.theme import ORANGE


def shares(values=(0.5, 0.25), **more):
    options = {
        "rest": ("3 others", 1 - sum(values)),
        "n_dropped": 0,
        "x_title": "dimension",
        "sum_title": "sum",
        "alt": "shares",
    }
    names = [str(i) for i in range(len(values))]
    return shares_svg(names, values, **(options | more))


def test_the_running_sum_ends_at_the_top_when_the_shares_sum_to_one():
    points = re.search(rf'd="M([^"]+)" fill="none" stroke="{ORANGE}"', shares())[1].split("L")
    heights = [float(point.split()[1]) for point in points]
    assert heights == sorted(heights, reverse=True)  # upwards is less in a drawing
    assert heights[-1] == pytest.approx(10)
