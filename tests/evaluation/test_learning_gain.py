"""Normalized gain by hand, its interval, and which misconceptions stay."""

import numpy as np
import pytest

from mlm_core.evaluation.learning_gain import (
    FEWEST,
    RIGHT,
    gain_of,
    gains_by_item,
    misconceptions,
    whole_gain,
)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def column(n_right: int, n: int) -> np.ndarray:
    return (np.arange(n) < n_right)[:, None]


def test_a_gain_by_hand():
    found = gain_of(column(4, 16), column(10, 16), rng())
    assert (found.before, found.after, found.n) == (0.25, 0.625, 16)
    assert found.gain == pytest.approx((0.625 - 0.25) / 0.75)
    assert found.low is not None and found.high is not None
    assert found.low < 0.5 < found.high <= 1


def test_what_everybody_knew_before_has_no_gain():
    found = gain_of(column(7, 7), column(6, 7), rng())
    assert (found.gain, found.low, found.high) == (None, None, None)


def test_few_learners_have_no_interval():
    n = FEWEST - 1
    found = gain_of(column(1, n), column(n, n), rng())
    assert found.gain == 1 and found.low is None
    alike = gain_of(column(0, 20), column(20, 20), rng())  # no interval of width 0
    assert alike.gain == 1 and alike.low is None


def test_the_interval_has_the_true_gain_in_about_95_of_100_classes():
    # Known by 30 % before and, of the rest, by 50 % after: g = 0.5. Of 300 classes of 60, the
    # share has a standard error of 1.3 points; a percentile bootstrap is a little too narrow.
    classes, n_hits = np.random.default_rng(1), 0
    for _ in range(300):
        before = classes.random((60, 1)) < 0.3
        after = before | (classes.random((60, 1)) < 0.5)
        found = gain_of(before, after, classes)
        assert found.low is not None and found.high is not None
        n_hits += found.low <= 0.5 <= found.high
    assert 0.90 <= n_hits / 300 <= 0.99


def test_an_item_counts_those_who_answered_it_twice():
    pairs = [({"a": "x"}, {"a": RIGHT}), ({"a": "x"}, {}), ({"a": ""}, {"a": "", "b": RIGHT})]
    found = gains_by_item(pairs, ["a", "b"], rng())
    assert list(found) == ["a"] and found["a"].n == 2 and found["a"].gain == 0.5


def test_the_whole_gain_of_one_learner_is_over_the_questions():
    before = {name: "x" for name in "abcdef"} | {"a": RIGHT}
    after = {name: RIGHT for name in "abcdef"} | {"f": "x"}
    alone = whole_gain([(before, after)], list("abcdef"), rng())
    assert alone is not None and alone.n == 6 and alone.gain == pytest.approx(4 / 5)
    assert whole_gain([(before, {})], list("abcdef"), rng()) is None
    two = whole_gain([(before, after), (after, after)], list("abcdef"), rng())
    assert two is not None and two.n == 2 and two.before == pytest.approx(0.5)


def test_misconceptions_are_counted_over_all_questions_that_offer_them():
    offered = {"a": ["m", "k"], "b": ["m"]}
    pairs = [({"a": "m", "b": "m"}, {"a": RIGHT, "b": "m"}), ({"a": "k"}, {"a": RIGHT})]
    first, second = misconceptions(pairs, offered)
    assert (first.name, first.n, first.before, first.after) == ("m", 3, 2 / 3, 1 / 3)
    assert (second.name, second.n, second.before, second.after) == ("k", 2, 0.5, 0)
