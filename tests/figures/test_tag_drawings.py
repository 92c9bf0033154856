"""Drawings of tags, their distributions and of resamples: right marks, whole words, safe text."""

import re
from xml.etree import ElementTree

import pytest

from mlm_core.figures.tagging.resamples import leads_chart, strips_svg
from mlm_core.figures.tagging.tag_distribution import TagPath, distribution_svg
from mlm_core.figures.tagging.tag_rows import LitRow, tag_rows

HOSTILE = "</svg><script>x</script>"
TAGS = ("O", "B-X", "I-X")


def svg_in(html):
    return ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])


def drawn(**changes):
    settings = {
        "probabilities": [[0.9, 0.1, 0.0], [0.2, 0.2, 0.6], [0.004, 0.006, 0.99]],
        "tags": TAGS,
        "columns": ["one", "##two", HOSTILE],
        "word_of_column": [0, 0, 1],
        "alt": "a table",
    }
    return distribution_svg(**{**settings, **changes})


def test_every_chance_that_does_not_round_to_zero_has_its_number():
    html = drawn()
    numbers = re.findall(r'text-anchor="middle"[^>]*>([\d.]+)</text>', html)
    assert numbers == ["0.90", "0.10", "0.20", "0.20", "0.60", "0.01", "0.99"]
    assert "<script>" not in html
    svg_in(html)


def test_pieces_of_one_word_stand_closer_and_under_one_line():
    html = drawn()
    x = [float(x) for x in re.findall(r'transform="translate\(([\d.]+) 0', html)]
    assert x[1] - x[0] < x[2] - x[1]
    assert html.count('stroke="currentColor" stroke-width="2"/>') == 1  # the word's line


def test_a_path_marks_each_column_and_crosses_its_illegal_steps_out():
    paths = [
        TagPath(name="greedy", tags=(0, 2, 2), illegal={1}),
        TagPath(name="Viterbi", tags=(1, 2, 2)),
    ]
    html = drawn(paths=paths, chosen=1, clickable=True)
    assert html.count("<ellipse") == 3 + 1  # one more in the legend
    assert html.count("m0 -12l-12 12") == 1
    assert re.findall(r'data-value="(\d)"[^>]*aria-pressed="(\w+)"', html) == [
        ("0", "false"),
        ("1", "true"),
        ("2", "false"),
    ]
    svg_in(html)


def test_an_illegal_start_is_crossed_out_too():
    html = drawn(paths=[TagPath(name="greedy", tags=(2, 2, 2), illegal={0})])
    assert html.count("m0 -12l-12 12") == 1


def test_words_have_their_tags_below_and_a_lit_tag_says_why():
    rows = [
        LitRow(name="gold", tags=("B-X", "O")),
        LitRow(name=HOSTILE, tags=("I-X", "O"), lit={0: "nothing to continue"}),
    ]
    html = tag_rows(["Jane", HOSTILE], rows, alt="two rows")
    assert re.findall(r">([BIO](?:-X)?)<", html) == ["B-X", "I-X", "O", "O"]
    assert html.count(" lit") == 1 and "nothing to continue" in html
    assert "<script>" not in html
    ElementTree.fromstring(html)


def test_a_row_that_lacks_a_tag_is_refused():
    with pytest.raises(ValueError, match="1 tags in row 'gold' for 2 words"):
        tag_rows(["a", "b"], [LitRow(name="gold", tags=("O",))], alt="")


def groups(leads, lead):
    """Return how many leads are drawn below twice the lead, and how many beyond."""
    names = ("below", "beyond")
    chart = leads_chart(leads, lead, names=names, marks=("0", "d", HOSTILE), axes=("lead", "sets"))
    assert [mark.x[0] for mark in chart.data[2:]] == [0.0, lead, 2 * lead]
    assert "<script>" not in chart.to_json()
    return tuple(sum(trace.y[:-1]) for trace in chart.data[:2])  # the last value ends the line


@pytest.mark.parametrize("lead", [0.1, 0.03, 0.0, -0.05])
def test_leads_from_twice_the_lead_on_are_set_apart(lead):
    leads = [lead + 0.01 * i for i in range(-10, 11)] + [2 * lead]
    n_beyond = sum(value >= 2 * lead - 1e-12 for value in leads)
    assert groups(leads, lead) == (len(leads) - n_beyond, n_beyond)


def test_equal_leads_have_a_drawing_too():
    assert groups([0.0] * 5, 0.0) == (0, 5)


def test_a_strip_has_a_bar_for_each_drawn_sentence_as_high_as_its_count():
    html = strips_svg(["set 1"], [(2, 0, 1)], alt="strips")
    heights = [float(h) for h in re.findall(r"v-([\d.]+)h", html)]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.15) and len(heights) == 2  # rounded
    svg_in(html)
