"""Next-sentence examples: what may be drawn, and what truncation leaves."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.prediction.pair_examples import (
    FOLLOWS,
    IS_RANDOM,
    KINDS,
    draw_order_test,
    draw_pair,
    truncate_pair,
)

DOCUMENTS = [["a0", "a1", "a2"], ["lonely"], ["b0", "b1"], ["c0", "c1", "c2", "c3"]]


class Tosses(Random):
    """A coin whose falls are given."""

    def __init__(self, falls):
        super().__init__()
        self.falls = list(falls)

    def random(self):
        return self.falls.pop(0)


def test_a_true_b_follows_and_a_random_b_is_from_another_document():
    for seed in range(200):
        pair = draw_pair(DOCUMENTS, Random(seed))
        first, second = pair.first, pair.second
        assert DOCUMENTS[first.document][first.sentence] == pair.first_text
        assert DOCUMENTS[second.document][second.sentence] == pair.second_text
        if pair.label == FOLLOWS:
            assert (second.document, second.sentence) == (first.document, first.sentence + 1)
            assert pair.toss >= 0.5
        else:
            assert pair.label == IS_RANDOM and pair.toss < 0.5
            assert second.document != first.document


def test_no_b_is_the_first_sentence_of_its_document_or_a_lonely_one():
    rng = Random(1)
    seconds = Counter(draw_pair(DOCUMENTS, rng).second_text for _ in range(2000))
    assert set(seconds) == {"a1", "a2", "b1", "c1", "c2", "c3"}


def test_half_of_the_pairs_are_random():
    rng = Random(5)
    n = 4000
    n_random = sum(draw_pair(DOCUMENTS, rng).label == IS_RANDOM for _ in range(n))
    # Standard deviation sqrt(n / 4) = 32; five of them.
    assert abs(n_random - n / 2) < 160


@pytest.mark.parametrize(("rate", "label"), [(0.0, FOLLOWS), (1.0, IS_RANDOM)])
def test_the_random_rate_is_kept_at_both_ends(rate, label):
    rng = Random(2)
    assert {draw_pair(DOCUMENTS, rng, random_rate=rate).label for _ in range(50)} == {label}


@pytest.mark.parametrize("documents", [[], [["a", "b"]], [["a", "b"], ["c"]], [[], []]])
def test_too_few_documents_are_refused_with_what_to_do(documents):
    with pytest.raises(ValueError, match="a blank line between documents"):
        draw_pair(documents, Random(0))


def test_a_rate_that_is_no_share_is_refused():
    with pytest.raises(ValueError, match="a share from 0 to 1"):
        draw_pair(DOCUMENTS, Random(0), random_rate=1.5)


def test_an_order_test_has_one_true_pair_and_three_ways_to_be_wrong():
    of = {text: (d, s) for d, texts in enumerate(DOCUMENTS) for s, text in enumerate(texts)}
    rng = Random(3)
    for _ in range(200):
        pairs = draw_order_test(DOCUMENTS, rng)
        assert tuple(pairs) == KINDS
        (document, sentence), after = (of[text] for text in pairs["next"])
        assert after == (document, sentence + 1)
        assert pairs["swapped"] == pairs["next"][::-1]
        same, other = of[pairs["same_document"][1]], of[pairs["other_document"][1]]
        assert same[0] == document and abs(same[1] - sentence) > 1
        assert other[0] != document and other[1] > 0  # no first sentence, as in training
        assert len({pairs[kind][0] for kind in ("next", "same_document", "other_document")}) == 1


@pytest.mark.parametrize("documents", [[], [["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]]])
def test_documents_without_such_pairs_are_refused_with_what_to_do(documents):
    with pytest.raises(ValueError, match="a blank line between documents"):
        draw_order_test(documents, Random(0))


def test_truncation_worked_by_hand():
    # A has 4 tokens, B 2, room for 3. Falls: A front, A back (now 2 and 2), B back.
    truncation = truncate_pair(4, 2, 3, Tosses([0.1, 0.9, 0.7]))
    steps = [(r.text, r.from_front, r.position, r.n_first, r.n_second) for r in truncation.removals]
    assert steps == [(0, True, 0, 3, 2), (0, False, 3, 2, 2), (1, False, 1, 2, 1)]
    assert (list(truncation.first), list(truncation.second)) == ([1, 2], [0])


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 70), st.integers(0, 999))
def test_truncation_fills_the_room_and_spares_the_shorter_text(n_first, n_second, room, seed):
    left = truncate_pair(n_first, n_second, room, Random(seed))
    kept = (len(left.first), len(left.second))
    assert sum(kept) == min(room, n_first + n_second)
    assert len(left.removals) == n_first + n_second - sum(kept)
    for n, other, own_kept, other_kept in (
        (n_first, n_second, *kept),
        (n_second, n_first, *reversed(kept)),
    ):
        assert own_kept == n or own_kept >= other_kept - 1 or n <= other
    gone = {(r.text, r.position) for r in left.removals}
    assert gone.isdisjoint({(0, i) for i in left.first} | {(1, i) for i in left.second})


def test_truncation_takes_from_both_ends_alike():
    rng = Random(4)
    ends = [r.from_front for _ in range(100) for r in truncate_pair(30, 3, 20, rng).removals]
    # 1,300 tosses: standard deviation 18; five of them.
    assert abs(sum(ends) - len(ends) / 2) < 90


def test_a_negative_room_is_refused():
    with pytest.raises(ValueError, match="must hold the special tokens"):
        truncate_pair(3, 3, -1, Random(0))
