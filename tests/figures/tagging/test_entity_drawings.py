"""Entities as framed spans, and the looks of types, which don't depend on colour."""

import re

from mlm_core.figures.tagging.entity_spans import (
    COLOURS,
    LINES,
    TagRow,
    entity_sentence,
    type_looks,
)
from mlm_core.tagging.bio_tags import Span

WORDS = ("Blue", "Harbour", "Shipping", "met", "Omar", "Jonas", "Weber")
SPANS = (
    Span(start=0, end=3, type="ORG"),
    Span(start=4, end=5, type="PER"),
    Span(start=5, end=7, type="PER"),
)


def classes_of(html):
    return [found.split() for found in re.findall(r'class="(word[^"]*)"', html)]


def test_a_frame_is_closed_at_the_ends_of_its_span_only():
    html = entity_sentence(WORDS, SPANS, alt="a sentence")
    firsts = [i for i, names in enumerate(classes_of(html)) if "first" in names]
    lasts = [i for i, names in enumerate(classes_of(html)) if "last" in names]
    inside = [i for i, names in enumerate(classes_of(html)) if "inside" in names]
    assert (firsts, lasts, inside) == ([0, 4, 5], [2, 4, 6], [0, 1, 2, 4, 5, 6])


def test_tags_stand_under_their_words_and_lost_ones_are_struck():
    rows = [
        TagRow(name="first", tags=[f"A-{i}" for i in range(7)], lost=(4, 6)),
        TagRow(name="second", tags=["O"] * 7),
    ]
    html = entity_sentence(WORDS, SPANS, alt="x", rows=rows)
    words = html.split('class="word')[1:]
    assert [re.findall(r'class="tag[^"]*">([^<]*)<', word) for word in words] == [
        [f"A-{i}", "O"] for i in range(7)
    ]
    assert ["tag lost" in word for word in words] == [i in (4, 6) for i in range(7)]
    assert html.count(">first</span>") == 7  # each line has the name, wherever it breaks


def test_types_differ_in_more_than_colour():
    types = ["PER", "ORG", "LOC", "GPE", *(f"own{i}" for i in range(12))]
    looks = type_looks(types)
    assert len({looks[type_] for type_ in types}) == 16 == len(COLOURS) * len(LINES)
    usual = [looks[type_].split("--line:")[1] for type_ in types[:4]]
    assert len(set(usual)) == 4
