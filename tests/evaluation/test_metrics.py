"""Counts and confusions: by hand, and against scikit-learn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.evaluation.metrics import confusion

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


@given(PAIRS)
def test_a_confusion_and_its_measures_are_scikit_learns(pairs):
    from sklearn.metrics import accuracy_score, confusion_matrix, f1_score

    gold, predicted = zip(*pairs, strict=True)
    found = confusion(gold, predicted, "abc")
    assert found.counts.tolist() == confusion_matrix(gold, predicted, labels=list("abc")).tolist()
    assert found.accuracy == pytest.approx(accuracy_score(gold, predicted))
    macro_f1 = f1_score(gold, predicted, average="macro", zero_division=0)
    assert found.macro_f1 == pytest.approx(macro_f1)


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
