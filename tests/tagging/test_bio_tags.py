"""Spans and tags: nothing is lost that the scheme can hold, and both readings keep their rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.tagging.bio_tags import (
    READINGS,
    SCHEMES,
    Span,
    decode,
    encode,
    find_runs,
    lost_by,
    n_tags,
    split_tag,
    tags_of,
)
from tests.tagging.random_tags import TYPES, any_tags, sentences_with_spans

# SLP3 Fig 11.12: Jane Villanueva of United Airlines Holding discussed the Chicago route .
FIGURE_SPANS = [
    Span(start=0, end=2, type="PER"),
    Span(start=3, end=6, type="ORG"),
    Span(start=8, end=9, type="LOC"),
]
FIGURE_TAGS = {
    "IO": "I-PER I-PER O I-ORG I-ORG I-ORG O O I-LOC O O",
    "BIO": "B-PER I-PER O B-ORG I-ORG I-ORG O O B-LOC O O",
    "BIOES": "B-PER E-PER O B-ORG I-ORG E-ORG O O S-LOC O O",
}


def written(tags, scheme, reading):
    """Return the spans of tags as text: PER0-2 is the type PER at words 0 and 1."""
    return " ".join(f"{s.type}{s.start}-{s.end}" for s in decode(tags.split(), scheme, reading))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("reading", READINGS)
def test_the_figure_of_the_textbook_in_each_scheme_and_back(scheme, reading):
    tags = encode(FIGURE_SPANS, 11, scheme)
    assert " ".join(tags) == FIGURE_TAGS[scheme]
    assert list(decode(tags, scheme, reading)) == FIGURE_SPANS
    assert lost_by(FIGURE_SPANS, 11, scheme) == ()


# By conlleval's rules, one by one: where a chunk starts and where it ends between two words.
@pytest.mark.parametrize(
    ("tags", "conlleval", "strict"),
    [
        ("I-PER I-PER O", "PER0-2", ""),  # I behind the start of the sentence starts a chunk
        ("O I-PER", "PER1-2", ""),  # I behind O starts one
        ("B-PER I-LOC", "PER0-1 LOC1-2", "PER0-1"),  # another type ends one and starts one
        ("I-PER I-LOC I-LOC", "PER0-1 LOC1-3", ""),
        ("B-PER B-PER", "PER0-1 PER1-2", "PER0-1 PER1-2"),  # B ends and starts always
        ("I-PER B-PER I-PER", "PER0-1 PER1-3", "PER1-3"),
        ("B-PER O I-PER", "PER0-1 PER2-3", "PER0-1"),  # O ends one
        ("B-PER I-PER I-LOC I-PER", "PER0-2 LOC2-3 PER3-4", "PER0-2"),
        ("O O", "", ""),
        ("", "", ""),
    ],
)
def test_bio_by_hand(tags, conlleval, strict):
    assert written(tags, "BIO", "conlleval") == conlleval
    assert written(tags, "BIO", "strict") == strict


@pytest.mark.parametrize(
    ("tags", "conlleval", "strict"),
    [
        ("B-PER E-PER", "PER0-2", "PER0-2"),
        ("B-PER I-PER I-PER E-PER", "PER0-4", "PER0-4"),
        ("S-PER S-PER", "PER0-1 PER1-2", "PER0-1 PER1-2"),
        ("B-PER I-PER", "PER0-2", ""),  # no end
        ("B-PER O", "PER0-1", ""),
        ("I-PER E-PER", "PER0-2", ""),  # no beginning
        ("E-PER E-PER", "PER0-1 PER1-2", ""),
        ("S-PER I-PER", "PER0-1 PER1-2", "PER0-1"),
        ("S-PER E-PER", "PER0-1 PER1-2", "PER0-1"),
        ("B-PER E-LOC", "PER0-1 LOC1-2", ""),
        ("B-PER E-PER I-PER", "PER0-2 PER2-3", "PER0-2"),
        ("B-PER B-PER E-PER", "PER0-1 PER1-3", "PER1-3"),
        ("B-PER S-PER", "PER0-1 PER1-2", "PER1-2"),
    ],
)
def test_bioes_by_hand(tags, conlleval, strict):
    assert written(tags, "BIOES", "conlleval") == conlleval
    assert written(tags, "BIOES", "strict") == strict


def test_a_fault_names_its_tag_and_what_stands_beside_it():
    (run,) = find_runs(["I-PER"], "BIOES")
    assert [(fault.position, fault.kind, fault.reason) for fault in run.faults] == [
        (0, "no_begin", "I-PER has nothing to continue: it is the first word"),
        (0, "no_end", "I-PER leaves its span without an end: it is the last word"),
    ]
    first, second = find_runs(["B-PER", "I-LOC", "I-LOC", "O"], "BIO")
    assert first.faults == ()
    assert [(fault.position, fault.reason) for fault in second.faults] == [
        (1, "I-LOC has nothing to continue: it follows B-PER")
    ]


@given(sentences_with_spans(), st.sampled_from(["BIO", "BIOES"]), st.sampled_from(READINGS))
def test_bio_and_bioes_give_every_span_back(sentence, scheme, reading):
    n_words, spans = sentence
    tags = encode(spans, n_words, scheme)
    assert len(tags) == n_words
    assert decode(tags, scheme, reading) == tuple(sorted(spans))
    assert lost_by(spans, n_words, scheme) == ()


@given(sentences_with_spans())
def test_io_loses_just_the_spans_that_touch_one_of_their_type(sentence):
    n_words, spans = sentence
    losses = lost_by(spans, n_words, "IO")
    fused = {span for loss in losses for span in loss.spans}
    touching = {
        span
        for span in spans
        if any(
            other.type == span.type and (other.end == span.start or span.end == other.start)
            for other in spans
        )
    }
    assert fused == touching
    for loss in losses:
        assert len(loss.spans) >= 2
        assert (loss.read_as.start, loss.read_as.end) == (loss.spans[0].start, loss.spans[-1].end)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(data=st.data())
def test_strict_spans_are_among_those_of_conlleval_which_leave_out_no_tag(scheme, data):
    tags = data.draw(any_tags(scheme))
    conlleval, strict = (decode(tags, scheme, reading) for reading in READINGS)
    assert set(strict) <= set(conlleval)
    assert sum(span.end - span.start for span in conlleval) == sum(tag != "O" for tag in tags)
    assert scheme != "IO" or strict == conlleval


@given(st.lists(st.sampled_from(["PER", "LOC", "ORG", "GPE", "DATE"]), unique=True))
def test_the_count_of_tags_is_that_of_the_textbook(types):
    n = len(types)
    assert [n_tags(n, scheme) for scheme in SCHEMES] == [n + 1, 2 * n + 1, 4 * n + 1]
    for scheme in SCHEMES:
        tags = tags_of(types, scheme)
        assert len(set(tags)) == len(tags) == n_tags(n, scheme)
        assert {split_tag(tag, scheme)[1] for tag in tags} == {"", *types}


def test_a_type_may_have_a_hyphen():
    assert split_tag("B-EVENT-SPORT", "BIO") == ("B", "EVENT-SPORT")


PER = Span(start=0, end=2, type="PER")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Span(start=2, end=2, type="PER"), "from word 2 to 2"),
        (lambda: Span(start=-1, end=2, type="PER"), "from word -1 to 2"),
        (lambda: Span(start=0, end=2, type=""), "without a type"),
        (
            lambda: encode([Span(start=1, end=3, type="LOC"), PER], 5, "BIO"),
            "PER from word 0 to 2 and LOC from word 1 to 3 overlap",
        ),
        (lambda: encode([PER, PER], 5, "BIO"), "overlap"),
        (lambda: encode([PER], 1, "BIO"), "in a sentence of 1 words: `end` may be 1 at most"),
        (lambda: encode([PER], 3, "IOB9"), "scheme 'IOB9': choose one of IO, BIO, BIOES"),
        (lambda: decode(["E-PER"], "BIO", "strict"), "'E-PER' is no BIO tag: write O, or B-, I-"),
        (lambda: decode(["B-"], "BIO", "strict"), "'B-' is no BIO tag"),
        (lambda: decode(["-PER"], "BIO", "strict"), "'-PER' is no BIO tag"),
        (lambda: decode(["BI-PER"], "BIO", "strict"), "'BI-PER' is no BIO tag"),
        (lambda: decode(["PER"], "IO", "strict"), "'PER' is no IO tag"),
        (lambda: decode(["O"], "BIO", "loose"), "reading 'loose'"),
        (lambda: n_tags(-1, "BIO"), "-1 entity types"),
        (lambda: tags_of([*TYPES, "PER"], "BIO"), "name each once"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message, unchecked_shapes):
    with pytest.raises(ValueError, match=message):
        call()
