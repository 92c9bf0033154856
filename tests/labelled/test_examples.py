"""Examples: what can't be learnt from is refused, and fewer examples keep their balance."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.labelled.examples import (
    Dataset,
    LabelledText,
    Question,
    TaggedSentence,
    giveaway,
    near_copies,
)
from mlm_core.tagging.bio_tags import Span


def labelled(labels: str) -> tuple[LabelledText, ...]:
    return tuple(LabelledText(text=f"text {i}", label=label) for i, label in enumerate(labels))


def of_texts(learnt: str, tested: str) -> Dataset:
    """Return data of texts between commas, each with its class before it."""
    parts = [
        tuple(LabelledText(label=one[0], text=one[2:]) for one in part.split(","))
        for part in (learnt, tested)
    ]
    return Dataset(kind="classes", classes=("a", "b"), train=parts[0], test=parts[1])


@pytest.mark.parametrize(
    ("learnt", "tested", "found", "n_copies"),
    [
        ("a it was fine a,b it was bad", "a so fine a", ("a", "a"), 0),  # the label in the text
        ("a warm LBR,b cold", "a nice LBR,b dull", ("a", "lbr"), 0),  # a mark of one source
        ("a warm,b cold OTHER", "b dull OTHER,a other", None, 0),
        ("a film 1 was fine,b film 2 was bad", "a film 3 was fine,b it was bad", ("a", "fine"), 1),
        ("a film 1,a so,b so", "a film 3,b film 4", None, 2),
    ],
)
def test_what_may_give_the_class_away_is_seen(learnt, tested, found, n_copies):
    data = of_texts(learnt, tested)
    assert (giveaway(data), near_copies(data)) == (found, n_copies)
    pairs = [LabelledText(label=one.label, text="x", pair=one.text) for one in data.train]
    of_pairs = Dataset(kind="classes", classes=("a", "b"), train=tuple(pairs), test=data.test)
    assert giveaway(of_pairs) == found


def of_classes(labels: str) -> Dataset:
    return Dataset(
        kind="classes",
        classes=tuple(sorted(set(labels))),
        train=labelled(labels),
        test=labelled("a"),
    )


@given(st.text("abc", min_size=2, max_size=20), st.integers(1, 25), st.integers(0, 5))
def test_fewer_examples_are_as_even_as_the_data_allows(labels, n_examples, seed):
    whole = of_classes(labels + "ab")
    drawn = whole.fewer(n_examples, torch.Generator().manual_seed(seed))
    assert len(drawn.train) == min(n_examples, len(whole.train)) == len(set(drawn.train))
    assert set(drawn.train) <= set(whole.train)
    assert (drawn.test, drawn.classes) == (whole.test, whole.classes)
    all_there = Counter(one.label for one in whole.train)
    taken = Counter({label: 0 for label in all_there} | Counter(e.label for e in drawn.train))
    most = max(taken.values())
    # A class has one less than the largest share only where its turn didn't come, or it is used up.
    assert all(taken[c] >= most - 1 or taken[c] == all_there[c] for c in all_there)


def test_an_answer_is_a_stretch_of_its_passage_by_hand():
    asked = Question(question="Who?", passage="The old man came.", start=4, stop=11)
    assert asked.answer == "old man"


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (3, 3), (4, 2), (0, 6)])
def test_an_answer_beyond_the_passage_is_refused(start, stop):
    with pytest.raises(ValueError, match=f"characters {start} to {stop} of a passage of 5: give"):
        Question(question="Who?", passage="abcde", start=start, stop=stop)


def test_an_entity_may_end_the_sentence_but_not_go_beyond_it():
    words = ("in", "St.", "Paul")
    last = TaggedSentence(words=words, spans=(Span(start=1, end=3, type="LOC"),))
    assert last.spans[0].end == len(words)
    with pytest.raises(ValueError, match="beyond the words: a word has one tag"):
        TaggedSentence(words=words, spans=(Span(start=1, end=4, type="LOC"),))


def test_spans_that_overlap_and_words_that_are_empty_are_refused():
    overlapping = (Span(start=1, end=3, type="LOC"), Span(start=0, end=2, type="PER"))
    with pytest.raises(ValueError, match="spans that overlap"):
        TaggedSentence(words=("a", "b", "c"), spans=overlapping)
    for words in ((), ("a", "")):
        with pytest.raises(ValueError, match="without words, or with an empty one: leave it out"):
            TaggedSentence(words=words, spans=())


@pytest.mark.parametrize(
    ("kind", "classes", "train", "test", "message"),
    [
        ("classes", ("a", "b"), "", "a", "0 examples to learn from and 1 to test on: give at"),
        ("classes", ("a", "b"), "ab", "", "2 examples to learn from and 0 to test on"),
        ("classes", ("a",), "aa", "a", r"only one class \(a\): there is nothing to tell apart"),
        ("tags", (), "a", "a", "no entity in any sentence: mark at least one"),
    ],
)
def test_data_from_which_nothing_can_be_learnt_is_refused(kind, classes, train, test, message):
    with pytest.raises(ValueError, match=message):
        Dataset(kind=kind, classes=classes, train=labelled(train), test=labelled(test))


def test_pairs_are_two_texts_or_a_question_with_its_passage():
    assert not of_classes("ab").has_pairs
    pair = (LabelledText(text="a", pair="b", label="x"),)
    assert Dataset(kind="classes", classes=("x", "y"), train=pair, test=pair).has_pairs
    asked = (Question(question="Who?", passage="He.", start=0, stop=2),)
    assert Dataset(kind="answers", classes=(), train=asked, test=asked).has_pairs
