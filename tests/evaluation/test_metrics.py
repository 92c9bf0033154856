"""Counts, confusions and ρ: by hand, and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.evaluation.metrics import average_ranks, confusion, spearman

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


@given(PAIRS)
def test_a_confusion_and_its_measures_are_scikit_learns(pairs):
    from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support

    gold, predicted = zip(*pairs, strict=True)
    found = confusion(gold, predicted, "abc")
    assert found.counts.tolist() == confusion_matrix(gold, predicted, labels=list("abc")).tolist()
    assert found.accuracy == pytest.approx(accuracy_score(gold, predicted))
    *_, macro_f1, _ = precision_recall_fscore_support(
        gold, predicted, average="macro", zero_division=0
    )
    assert found.macro_f1 == pytest.approx(macro_f1)
    by_class = precision_recall_fscore_support(gold, predicted, labels=list("abc"), zero_division=0)
    for counts, expected in zip(found.by_class, zip(*by_class, strict=True), strict=True):
        measures = counts.measures
        ours = (measures.precision, measures.recall, measures.f1, counts.n_gold)
        assert ours == pytest.approx(expected)


def test_a_confusion_worked_by_hand():
    found = confusion([0, 0, 1, 1], [0, 1, 1, 1], range(3))
    assert found.counts.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 0]]
    assert found.accuracy == 0.75 and found.most_frequent_accuracy == 0.5
    # Class 0: 2 * 1 / (2 gold + 1 predicted). Class 1: 2 * 2 / (2 + 3). Class 2: in neither.
    assert found.macro_f1 == pytest.approx((2 / 3 + 4 / 5) / 2)
    counts = found.by_class[0]
    assert (counts.n_missed, counts.n_false_alarms) == (1, 0)


@pytest.mark.parametrize(("gold", "predicted"), [([], []), (["a"], ["a", "b"])])
def test_predictions_for_other_examples_are_refused(gold, predicted):
    with pytest.raises(ValueError, match="give one for each example, and at least one example"):
        confusion(gold, predicted, ["a", "b"])


def test_rho_of_a_drawn_set_is_that_of_its_pairs_written_out():
    generator = np.random.default_rng(3)
    first, second = generator.integers(9, size=(2, 23)).astype(float)
    times = generator.integers(3, size=(4, 23))
    written_out = []
    for one in times:
        once = np.ones((1, one.sum()), dtype=int)
        written_out += list(spearman(np.repeat(first, one), np.repeat(second, one), once))
    np.testing.assert_allclose(spearman(first, second, times), written_out)


def test_a_perfect_order_of_three_grades_reaches_less_than_one():
    grades = np.repeat([0.0, 1.0, 2.0], 200)
    perfect = spearman(np.arange(600.0), grades, np.ones((1, 600), dtype=int))
    assert perfect[0] == pytest.approx(np.sqrt(8 / 9), abs=1e-5)


def test_rho_of_equal_scores_is_undefined():
    assert np.isnan(spearman(np.ones(3), np.arange(3.0), np.ones((1, 3), dtype=int)))


def test_ranks_of_equal_values_are_shared():
    times = np.array([[1, 1, 1, 1], [0, 2, 1, 1]])
    found = average_ranks(np.array([2.0, 2.0, 1.0, 3.0]), times)
    assert found[0].tolist() == [2.5, 2.5, 1.0, 4.0]
    assert found[1, 1:].tolist() == [2.5, 1.0, 4.0]
