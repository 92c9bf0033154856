"""A threshold on a model's confidence: chosen on one part, counted on another."""

import pytest

from mlm_core.evaluation.refusal import choose_threshold, count_refusals
from mlm_core.stored.refusals import read_refusals

CONFIDENCE = [0.9, 0.8, 0.8, 0.7, 0.6]
IS_RIGHT = [True, True, False, True, False]


@pytest.mark.parametrize(
    ("most_wrong", "wanted"), [(0.0, 0.9), (0.25, 0.7), (0.3, 0.7), (0.4, 0.6), (1.0, 0.6)]
)
def test_the_threshold_is_the_least_that_leaves_few_enough_wrong(most_wrong, wanted):
    # Of the surest 1, 3, 4, 5 (equal ones go together): 0, 1/3, 1/4 and 2/5 are wrong.
    assert choose_threshold(CONFIDENCE, IS_RIGHT, most_wrong=most_wrong) == wanted


def test_a_model_that_is_wrong_where_it_is_surest_has_no_threshold():
    with pytest.raises(ValueError, match="at most 10% wrong: allow more"):
        choose_threshold([0.9, 0.5], [False, True], most_wrong=0.1)


def test_sure_and_doubtful_predictions_are_counted_apart():
    found = count_refusals(CONFIDENCE, IS_RIGHT, 0.8)
    assert (found.n_sure, found.n_sure_wrong, found.n_doubtful, found.n_doubtful_wrong) == (
        3,
        1,
        2,
        1,
    )
    assert found.n == 5 and found.sure_error == 1 / 3 and found.doubtful_error == 0.5
    nothing = count_refusals([], [], 0.5)
    assert (nothing.sure_error, nothing.doubtful_error) == (0, 0)


@pytest.mark.parametrize("name", read_refusals())
def test_a_stored_threshold_keeps_its_promise_on_dev_and_helps_on_test(name: str):
    stored = read_refusals()[name]
    assert stored.dev.sure_error <= stored.most_wrong
    assert stored.test.sure_error < stored.test.doubtful_error / 2
