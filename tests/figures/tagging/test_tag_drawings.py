"""Drawings of tags and their distributions, and the leads of resamples."""

import re

import pytest

from mlm_core.figures.tagging.resamples import leads_chart
from mlm_core.figures.tagging.tag_distribution import TagPath, distribution_svg
from mlm_core.figures.theme import VERMILION

TAGS = ("O", "B-X", "I-X")


def drawn(**changes):
    settings = {
        "probabilities": [[0.9, 0.1, 0.0], [0.2, 0.2, 0.6], [0.004, 0.006, 0.99]],
        "tags": TAGS,
        "columns": ["one", "##two", "three"],
        "word_of_column": [0, 0, 1],
        "alt": "a table",
    }
    return distribution_svg(**{**settings, **changes})


def test_pieces_of_one_word_stand_closer_and_under_one_line():
    html = drawn()
    x = [float(x) for x in re.findall(r'transform="translate\(([\d.]+) 0', html)]
    assert x[1] - x[0] < x[2] - x[1]
    assert html.count('stroke="currentColor" stroke-width="2"/>') == 1  # the word's line


def test_an_illegal_step_and_an_illegal_start_are_crossed_out():
    for illegal in ((), {1}, {0, 1}):
        html = drawn(paths=[TagPath(name="greedy", tags=(0, 2, 2), illegal=illegal)])
        crosses = html.count(f'stroke="{VERMILION}" stroke-width="3"')
        assert crosses == len(illegal)


def groups(leads, lead):
    """Return how many leads are drawn below twice the lead, and how many beyond."""
    names = ("below", "beyond")
    chart = leads_chart(leads, lead, names=names, marks=("0", "d", "2d"), axes=("lead", "sets"))
    assert [mark.x[0] for mark in chart.data[2:]] == [0.0, lead, 2 * lead]
    return tuple(sum(trace.y[:-1]) for trace in chart.data[:2])  # the last value ends the line


@pytest.mark.parametrize("lead", [0.1, 0.03, 0.0, -0.05])
def test_leads_from_twice_the_lead_on_are_set_apart(lead):
    leads = [lead + 0.01 * i for i in range(-10, 11)] + [2 * lead]
    n_beyond = sum(value >= 2 * lead - 1e-12 for value in leads)
    assert groups(leads, lead) == (len(leads) - n_beyond, n_beyond)
