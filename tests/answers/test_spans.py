"""Answers: the best stretch is the best of all, and the two measures by hand."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.answers.spans import answer_words, best_spans, exact_match, overlap_f1

logs = st.lists(st.floats(-9, 0, width=32) | st.just(-math.inf), min_size=1, max_size=7)


@given(logs, logs, st.integers(1, 5), st.integers(1, 8))
def test_the_best_stretches_are_those_that_trying_all_finds(start, end, n, longest):
    end = (end * len(start))[: len(start)]
    found = best_spans(torch.tensor(start), torch.tensor(end), n, longest)
    every = sorted(
        (
            start[i] + end[j]
            for i in range(len(start))
            for j in range(i, min(i + longest, len(start)))
            if start[i] + end[j] > -math.inf
        ),
        reverse=True,
    )
    assert [span.log_probability for span in found] == pytest.approx(every[:n])
    for span in found:
        assert 0 <= span.last - span.first < longest
        own = start[span.first] + end[span.last]
        assert own == pytest.approx(span.log_probability)
    assert len({(span.first, span.last) for span in found}) == len(found)


def test_the_end_never_stands_before_the_start_by_hand():
    start, end = torch.tensor([0.1, 0.2, 0.7]).log(), torch.tensor([0.8, 0.15, 0.05]).log()
    best, second = best_spans(start, end, 2)
    # 0.1 * 0.8 = 0.08; 0.7 * 0.05 = 0.035 and 0.2 * 0.15 = 0.03. Not 0.7 * 0.8, backwards.
    assert (best.first, best.last) == (0, 0)
    assert math.exp(best.log_probability) == pytest.approx(0.08)
    assert (second.first, second.last) == (2, 2)


def test_where_nothing_may_stand_there_is_no_answer():
    nothing = torch.full((3,), -math.inf)
    assert best_spans(nothing, nothing) == ()


def test_an_answer_of_no_tokens_is_refused():
    one = torch.zeros(1)
    for n, longest in ((0, 3), (1, 0)):
        with pytest.raises(ValueError, match="ask for at least 1 of each"):
            best_spans(one, one, n, longest)


@pytest.mark.parametrize(
    ("answer", "right", "same", "f1"),
    [
        ("the old man", "Old man.", True, 1.0),
        ("man old", "old man", False, 1.0),
        ("the man", "old man", False, 2 / 3),  # p = 1, r = 1/2
        ("a river", "the night", False, 0.0),
        ("so so good", "so good", False, 0.8),  # p = 2/3, r = 1
        ("", "night", False, 0.0),
        ("the", "a", True, 1.0),  # both without a word that counts
        ("café", "cafe", False, 0.0),
    ],
)
def test_both_measures_by_hand(answer, right, same, f1):
    assert exact_match(answer, right) == same
    assert overlap_f1(answer, right) == pytest.approx(f1)


@given(st.text(max_size=20), st.text(max_size=20))
def test_overlap_is_fair_to_both_sides_and_full_where_the_words_agree(one, other):
    assert overlap_f1(one, other) == pytest.approx(overlap_f1(other, one))
    assert 0 <= overlap_f1(one, other) <= 1
    if exact_match(one, other):
        assert overlap_f1(one, other) == 1
    assert answer_words(" ".join(answer_words(one))) == answer_words(one)
