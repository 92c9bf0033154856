"""A threshold on a model's confidence: chosen on one part, counted on another."""

from itertools import pairwise

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.evaluation.refusal import accuracy_by_confidence, choose_threshold, count_refusals
from mlm_core.stored.refusals import next_sentence_name, read_refusals, scored_pairs
from mlm_core.text import corpora
from tools.refusals import score_pairs

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


def test_accuracy_is_that_of_groups_from_the_least_to_the_most_sure():
    # 0.6 and 0.7; 0.8, 0.8 and 0.9: half of the first two are right, two of the others.
    assert accuracy_by_confidence(CONFIDENCE, IS_RIGHT, n_groups=2) == [1 / 2, 2 / 3]
    with pytest.raises(ValueError, match="6 groups of 5 predictions"):
        accuracy_by_confidence(CONFIDENCE, IS_RIGHT, n_groups=6)


@pytest.mark.parametrize("language", READERS)
def test_stored_pairs_come_out_again_and_bear_what_is_said_of_them(language: str):
    stored = read_refusals()[next_sentence_name(language)]
    again = score_pairs(load(READERS[language]), corpora.documents(language)[1::2], 2)
    for kind, values in again.items():
        assert stored.p_next[kind][:2] == pytest.approx(values, abs=1e-4)
    scored = scored_pairs(stored.p_next)
    assert count_refusals(*scored, stored.threshold) == stored.test
    fifths = accuracy_by_confidence(*scored, n_groups=5)
    assert any(later < before for before, later in pairwise(fifths))  # no steady rise
    assert (stored.accepted("other_document") >= 0.5) == (language == "de")
