"""The stored search results: complete, and what is quick to work out again gives the same."""

import pytest

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.search.graded_pairs import search_task, sentences_of
from mlm_core.search.ranking import MEASURES, rank_candidates, score
from mlm_core.search.settings import PAIR_KINDS
from mlm_core.stored.search_results import LEADS, SEEDS, WAYS, read_results
from tools.search_results import N_RESAMPLES, cosines_before_training, part, same_draws

RESULTS = read_results()


def test_the_results_are_those_of_the_present_test_part_and_complete():
    task = search_task(part("test"))
    assert (RESULTS.n_queries, RESULTS.n_candidates, RESULTS.n_pairs) == (
        task.n_queries,
        task.n_candidates,
        task.n_pairs,
    )
    estimates = [*RESULTS.scores.values(), *RESULTS.leads.values()]
    assert len(estimates) == len(WAYS) + len(LEADS)
    assert all(one.low <= one.value <= one.high for of in estimates for one in of.values())
    for kind in PAIR_KINDS:
        for name in MEASURES:
            of_seeds = RESULTS.of_seeds[kind][name]
            assert len(of_seeds) == len(SEEDS)
            mean = sum(of_seeds) / len(SEEDS)
            assert RESULTS.scores[kind][name].value == pytest.approx(mean, abs=1e-4)


def test_a_lead_is_the_difference_of_the_two_ways():
    for (first, second), found in RESULTS.leads.items():
        for name in MEASURES:
            difference = RESULTS.scores[first][name].value - RESULTS.scores[second][name].value
            assert found[name].value == pytest.approx(difference, abs=2e-4)


# tf-idf has the same numbers everywhere; on another processor two near cosines of an encoder may
# change places.
@pytest.mark.parametrize(("way", "slack"), [("tf_idf", 1e-4), ("cls_z_scored", 0.01)])
def test_what_is_not_trained_gives_the_stored_numbers_again(way, slack):
    task, encoder = search_task(part("test")), refuse_foreign(load(BUNDLED))
    cosines = cosines_before_training(way, task, encoder, sentences_of(part("train")))
    found = score(rank_candidates(cosines, task), N_RESAMPLES, same_draws())
    for name, stored in RESULTS.scores[way].items():
        numbers = found[name].value, found[name].low, found[name].high
        assert numbers == pytest.approx((stored.value, stored.low, stored.high), abs=slack)
