"""What may follow what, and repairs: legal is what both readings agree on."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.tagging.bio_tags import READINGS, SCHEMES, decode, encode, tags_of
from mlm_core.tagging.transitions import faults_in, is_legal, legal_transitions, repair
from tests.tagging.random_tags import any_tags, sentences_with_spans


def illegal_among(scheme):
    """Return the forbidden pairs of two types' tags, borders written as |."""
    tags = ["|", *tags_of(["PER", "LOC"], scheme)]
    as_border = {"|": None}
    return {
        f"{a} {b}"
        for a in tags
        for b in tags
        if a + b != "||" and not is_legal(as_border.get(a, a), as_border.get(b, b), scheme)
    }


def test_io_forbids_nothing():
    assert illegal_among("IO") == set()


def test_bio_forbids_an_i_with_nothing_to_continue():
    assert illegal_among("BIO") == {
        *("| I-PER", "O I-PER", "B-LOC I-PER", "I-LOC I-PER"),
        *("| I-LOC", "O I-LOC", "B-PER I-LOC", "I-PER I-LOC"),
    }


def test_bioes_by_hand():
    # For one type: what is open (B, I) must go on, what is closed (O, S, E, border) must not.
    legal = {
        *("| O", "| B", "| S", "O O", "O B", "O S", "O |", "B I", "B E", "I I", "I E"),
        *("E O", "E B", "E S", "E |", "S O", "S B", "S S", "S |", "| |"),
    }
    letters = {"|": None, "O": "O", "B": "B-PER", "I": "I-PER", "E": "E-PER", "S": "S-PER"}
    for a, tag in letters.items():
        for b, next_tag in letters.items():
            assert is_legal(tag, next_tag, "BIOES") == (f"{a} {b}" in legal), (a, b)
    assert not is_legal("B-PER", "E-LOC", "BIOES")
    assert is_legal("E-PER", "B-LOC", "BIOES")


def test_the_table_is_what_is_legal_one_by_one():
    tags = ("I-LOC", "S-PER", "O", "E-LOC", "B-LOC")  # any order, any part of the scheme's tags
    found = legal_transitions(tags, "BIOES")
    for i, tag in enumerate(tags):
        assert found.may_start[i] == is_legal(None, tag, "BIOES")
        assert found.may_end[i] == is_legal(tag, None, "BIOES")
        for j, next_tag in enumerate(tags):
            assert found.may_follow[i, j] == is_legal(tag, next_tag, "BIOES")


def test_no_tags_make_an_empty_table():
    assert legal_transitions([], "BIO").may_follow.shape == (0, 0)
    assert legal_transitions([], "BIO").may_follow.dtype == torch.bool


@pytest.mark.parametrize("scheme", SCHEMES)
@given(data=st.data())
def test_a_sequence_is_legal_where_it_has_no_fault_and_comes_back_as_it_was(scheme, data):
    tags = data.draw(any_tags(scheme, max_size=5))
    steps = zip([None, *tags], [*tags, None], strict=True) if tags else []
    legal = all(is_legal(tag, next_tag, scheme) for tag, next_tag in steps)
    assert legal == (faults_in(tags, scheme) == ())
    for reading in READINGS:
        comes_back = encode(decode(tags, scheme, reading), len(tags), scheme) == tuple(tags)
        assert comes_back == legal


@given(sentences_with_spans(), st.sampled_from(SCHEMES))
def test_what_spans_are_encoded_to_is_legal(sentence, scheme):
    n_words, spans = sentence
    assert faults_in(encode(spans, n_words, scheme), scheme) == ()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rule", READINGS)
@given(data=st.data())
def test_a_repair_is_legal_and_keeps_what_its_reading_saw(scheme, rule, data):
    tags = data.draw(any_tags(scheme))
    mended = repair(tags, scheme, rule)
    assert faults_in(mended, scheme) == ()
    assert {decode(mended, scheme, reading) for reading in READINGS} == {decode(tags, scheme, rule)}
    assert repair(mended, scheme, rule) == mended


@pytest.mark.parametrize(
    ("scheme", "rule", "tags", "mended"),
    [
        ("BIO", "conlleval", "O I-PER I-PER I-LOC", "O B-PER I-PER B-LOC"),
        ("BIO", "strict", "B-PER I-LOC I-LOC B-LOC", "B-PER O O B-LOC"),
        ("BIOES", "conlleval", "I-PER O B-LOC I-LOC", "S-PER O B-LOC E-LOC"),
        ("BIOES", "conlleval", "E-PER B-PER", "S-PER S-PER"),
        ("BIOES", "strict", "B-PER I-PER S-LOC", "O O S-LOC"),
        ("IO", "strict", "I-PER I-LOC", "I-PER I-LOC"),
    ],
)
def test_repairs_by_hand(scheme, rule, tags, mended):
    assert " ".join(repair(tags.split(), scheme, rule)) == mended


def test_what_makes_no_sense_is_refused(unchecked_shapes):
    with pytest.raises(ValueError, match="'S-PER' is no BIO tag"):
        legal_transitions(["O", "S-PER"], "BIO")
    with pytest.raises(ValueError, match="reading 'gently'"):
        repair(["O"], "BIO", "gently")
