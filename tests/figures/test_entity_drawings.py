"""Entities as framed spans, and labels that drop to pieces: whole words, safe text, no colour."""

import re

import pytest

from mlm_core.figures.tagging.entity_spans import (
    COLOURS,
    LINES,
    TagRow,
    entity_sentence,
    entity_text,
    type_looks,
)
from mlm_core.figures.tagging.subword_tags import DrawnSubword, DrawnWord, subword_tags_html
from mlm_core.tagging.bio_tags import Span

WORDS = ("Blue", "Harbour", "Shipping", "met", "Omar", "Jonas", "Weber")
SPANS = (
    Span(start=0, end=3, type="ORG"),
    Span(start=4, end=5, type="PER"),
    Span(start=5, end=7, type="PER"),
)
HOSTILE = "</span><script>x</script>\"'"


def classes_of(html):
    return [found.split() for found in re.findall(r'class="(word[^"]*)"', html)]


def test_a_frame_is_closed_at_the_ends_of_its_span_only():
    html = entity_sentence(WORDS, SPANS, alt="a sentence")
    firsts = [i for i, names in enumerate(classes_of(html)) if "first" in names]
    lasts = [i for i, names in enumerate(classes_of(html)) if "last" in names]
    inside = [i for i, names in enumerate(classes_of(html)) if "inside" in names]
    assert (firsts, lasts, inside) == ([0, 4, 5], [2, 4, 6], [0, 1, 2, 4, 5, 6])


def test_every_span_has_its_type_in_letters_once():
    html = entity_sentence(WORDS, SPANS, alt="a sentence")
    assert [t for t in re.findall(r'class="type">([^<]*)<', html) if t] == ["ORG", "PER", "PER"]


def test_a_mark_stands_behind_its_spans_type():
    html = entity_sentence(WORDS, SPANS, alt="x", marks={SPANS[1]: "✗"})
    assert [t for t in re.findall(r'class="type">([^<]*)<', html) if t] == ["ORG", "PER ✗", "PER"]


def test_the_text_twin_says_the_same_without_a_drawing():
    assert (
        entity_text(WORDS, SPANS) == "[ORG Blue Harbour Shipping] met [PER Omar] [PER Jonas Weber]"
    )
    assert entity_text(WORDS, ()) == " ".join(WORDS)


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


def test_clickable_words_are_buttons_with_their_positions():
    html = entity_sentence(WORDS, SPANS, alt="x", clickable=True, selected=(3,))
    assert re.findall(r'<button type="button"[^>]*data-value="(\d+)"', html) == list("0123456")
    assert [i for i, names in enumerate(classes_of(html)) if "selected" in names] == [3]
    assert "<button" not in entity_sentence(WORDS, SPANS, alt="x")


def test_types_differ_in_more_than_colour():
    types = ["PER", "ORG", "LOC", "GPE", *(f"own{i}" for i in range(12))]
    looks = type_looks(types)
    assert len({looks[type_] for type_ in types}) == 16 == len(COLOURS) * len(LINES)
    usual = [looks[type_].split("--line:")[1] for type_ in types[:4]]
    assert len(set(usual)) == 4


def test_the_usual_types_look_the_same_beside_any_others():
    assert type_looks(["TEAM"])["ORG"] == type_looks(["ORG", "AAA", "ZZZ"])["ORG"]


@pytest.mark.parametrize("clickable", [True, False])
def test_a_learners_words_and_types_stay_text(clickable):
    spans = [Span(start=0, end=1, type=HOSTILE)]
    html = entity_sentence(
        [HOSTILE, "🙂"],
        spans,
        alt=HOSTILE,
        marks={spans[0]: HOSTILE},
        rows=[TagRow(name=HOSTILE, tags=[HOSTILE, ""])],
        clickable=clickable,
    )
    assert "<script>" not in html and "🙂" in html
    drawn = DrawnWord(
        word=HOSTILE, tag=f"B-{HOSTILE}", subwords=(DrawnSubword(text=HOSTILE, tag="O"),)
    )
    assert "<script>" not in subword_tags_html([drawn], alt=HOSTILE)


def test_no_words_are_no_drawing_but_no_failure():
    assert 'class="entities"' in entity_sentence([], [], alt="nothing")
    assert entity_text([], []) == ""


def drawn(tag, *subwords, word="Sanitas"):
    subwords = tuple(DrawnSubword(text=text, tag=label) for text, label in subwords)
    return DrawnWord(word=word, tag=tag, subwords=subwords)


def test_a_label_that_is_copied_changed_or_left_out_has_a_line_of_its_own():
    html = subword_tags_html(
        [
            drawn("B-LOC", ("San", "B-LOC"), ("##itas", "I-LOC"), ("##x", None)),
            drawn("", ("[SEP]", None), word=None),
        ],
        alt="pieces",
    )
    assert re.findall(r'class="drop ([^"]*)"', html) == [
        "copied",
        "changed",
        "ignored",
        "added ignored",
    ]
    assert html.count("−100") == 2


def test_a_word_and_its_pieces_share_their_types_look():
    html = subword_tags_html([drawn("B-TEAM", ("San", "B-TEAM"))], alt="x")
    assert len(set(re.findall(r'style="([^"]*)"', html))) == 1
