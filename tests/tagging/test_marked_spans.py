"""A learner's marks: refused with a reason, carried by a link, moved with their words, written."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.labelled.conll import LONGEST_TYPE as LONGEST_IN_FILES
from mlm_core.labelled.conll import check_it_reads_back, read_conll, write_conll
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.tagging.bio_tags import Span
from mlm_core.tagging.marked_spans import (
    LONGEST_TYPE,
    add_span,
    checked_type,
    move_spans,
    spans_from_link,
    spans_to_link,
)

WORDS = ("Blue", "Harbour", "Shipping", "met", "Omar", "Jonas", "Weber")


def span(start, end, type_="PER"):
    return Span(start=start, end=end, type=type_)


@st.composite
def marked(draw):
    """Draw spans that don't overlap among seven words."""
    cuts = sorted(draw(st.sets(st.integers(0, 7), max_size=8)))
    pairs = [pair for pair in pairwise(cuts) if draw(st.booleans())]
    types = st.sampled_from(["PER", "TEAM", "a-b", "x.y", "Ärzte"])
    return tuple(span(start, end, draw(types)) for start, end in pairs)


@given(marked())
def test_a_link_gives_back_what_was_put_in(spans):
    assert spans_from_link(spans_to_link(spans), WORDS) == (spans, ())


@given(marked())
def test_a_file_gives_back_what_was_written(spans):
    sentences = (
        TaggedSentence(words=WORDS, spans=spans),
        TaggedSentence(words=("Oslo", "🙂"), spans=(span(0, 1, "GPE"), span(1, 2, "GPE"))),
    )
    for scheme in ("BIO", "BIOES"):
        assert read_conll(write_conll(sentences, scheme)).sentences == sentences


@pytest.mark.parametrize(
    "link",
    ["zz", "PER:0", "PER:2-2", "PER:3-1", ":0-1", "X Y:0-1", "PER:6-8", "PER:-1-2", "PER:٠-١"],
)
def test_a_malformed_mark_is_named_and_the_others_stay(link):
    assert spans_from_link(f"ORG:0-3,{link},PER:4-5", WORDS) == (
        (span(0, 3, "ORG"), span(4, 5)),
        (link,),
    )


def test_a_link_may_not_overlap_itself():
    assert spans_from_link("ORG:0-3,PER:2-5", WORDS) == ((span(0, 3, "ORG"),), ("PER:2-5",))


def test_touching_spans_are_allowed_and_overlapping_ones_are_told_by_their_words():
    spans = add_span([span(5, 7)], span(4, 5), WORDS)
    assert spans == (span(4, 5), span(5, 7))
    with pytest.raises(ValueError, match=r"“met Omar” overlaps the PER “Omar”.*remove that span"):
        add_span(spans, span(3, 5, "ORG"), WORDS)
    with pytest.raises(ValueError, match=r"last word is 6"):
        add_span(spans, span(6, 8), WORDS)


@pytest.mark.parametrize("name", ["", "  ", "two words", "a:b", "a,b", "x" * 31, "<b>"])
def test_a_type_that_no_tag_can_carry_is_refused(name):
    with pytest.raises(ValueError, match=r"name it in 1 to 30 letters"):
        checked_type(name)


def test_a_type_may_be_as_long_as_in_a_file():
    assert LONGEST_TYPE == LONGEST_IN_FILES
    assert checked_type(" " + "x" * LONGEST_TYPE) == "x" * LONGEST_TYPE


def test_marks_move_with_words_put_in_before_them():
    spans = (span(0, 3, "ORG"), span(5, 7))
    after = ("Today", *WORDS)
    assert move_spans(spans, WORDS, after) == (span(1, 4, "ORG"), span(6, 8))


def test_a_changed_word_loses_its_mark_only():
    after = (*WORDS[:5], "Jan", *WORDS[6:])
    assert move_spans((span(0, 3, "ORG"), span(4, 5), span(5, 7)), WORDS, after) == (
        span(0, 3, "ORG"),
        span(4, 5),
    )


@given(marked(), st.lists(st.sampled_from(WORDS), max_size=9))
def test_moved_marks_keep_their_words(spans, after):
    for moved in move_spans(spans, WORDS, after):
        assert any(
            tuple(after[moved.start : moved.end]) == WORDS[old.start : old.end]
            and moved.type == old.type
            for old in spans
        )


def test_a_sentence_that_a_file_would_take_for_its_own_sign_is_refused():
    check_it_reads_back(TaggedSentence(words=("#", "1"), spans=()))
    sentence = TaggedSentence(words=("-DOCSTART-", "Oslo"), spans=())
    with pytest.raises(ValueError, match=r"change its first word"):
        check_it_reads_back(sentence)
