"""The first drawn sets are the very ones of the bootstrap, and they score what they hold."""

import numpy as np
import pytest

from mlm_core.evaluation.bootstrap import first_resamples, paired_bootstrap


def counts(seed, n_sentences=7, n_types=3, gold=None):
    """Return counts of a random tagger on the same random gold entities."""
    rng = np.random.default_rng(seed)
    if gold is None:
        gold = np.random.default_rng(99).integers(0, 4, size=(n_sentences, n_types))
    said = rng.integers(0, 4, size=(n_sentences, n_types))
    hits = np.minimum(gold, said) // 2
    return np.stack([hits, gold, said], axis=-1)


@pytest.mark.parametrize("n_resamples", [11, 600])
def test_the_sets_are_the_first_ones_of_the_bootstrap(n_resamples):
    both = counts(1), counts(2)
    rng = np.random.default_rng(5)
    found = paired_bootstrap(*both, n_resamples, rng)
    rng = np.random.default_rng(5)
    first = first_resamples(*both, 4, n_resamples, rng)
    assert [one.delta for one in first] == pytest.approx(found.deltas[:4].tolist(), abs=1e-12)


def test_a_set_scores_its_sentences_as_often_as_they_were_drawn():
    # One type; sentence 0: 1 hit of 1 and 1; sentence 1: no hit of 1 and 1.
    a = np.array([[[1, 1, 1]], [[0, 1, 1]]])
    b = np.array([[[0, 1, 0]], [[0, 1, 0]]])
    for one in first_resamples(a, b, 5, 9, np.random.default_rng(3)):
        assert one.score_a == one.times[0] / 2
        assert one.score_b == 0 and one.delta == one.score_a
