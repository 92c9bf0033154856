"""A map that grows: it moves little, and says which sentences lie nearest to their own sense."""

import math

import pytest
import torch

from mlm_core.embeddings.growing_map import growing_layout, kept_variance, own_senses
from mlm_core.embeddings.maps import pca_layout


def cloud(n=23, hidden=7, seed=5):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, hidden, generator=generator, dtype=torch.float64)


def test_a_growing_map_has_the_distances_of_pca():
    for n in (1, 2, 3, 4, 6, 7, 13):
        grown, alone = growing_layout(cloud(n)), pca_layout(cloud(n))
        torch.testing.assert_close(torch.cdist(grown, grown), torch.cdist(alone, alone))


def test_one_sentence_more_never_mirrors_the_map():
    # Two clear directions, each with two entries of equal size: PCA by itself may flip its axes.
    plane = torch.tensor([[1.0, -1, 0, 0, 0, 0, 0], [0, 0, 1.0, -1, 0, 0, 0]], dtype=torch.float64)
    places = cloud(40, 2, seed=3) * torch.tensor([3.0, 1.5], dtype=torch.float64)
    vectors = places @ plane + 0.1 * cloud(40)
    vectors[:, 4] += 20
    n_flips = 0
    for n in range(5, 40):
        before, after = growing_layout(vectors[:n]), growing_layout(vectors[: n + 1])[:n]
        moved = (after - after.mean(0)) - (before - before.mean(0))
        assert moved.norm() < 0.3 * (before - before.mean(0)).norm()
        alone = pca_layout(vectors[:n]) * pca_layout(vectors[: n + 1])[:n]
        n_flips += bool((alone.sum(dim=0) < 0).any())
    assert n_flips, "PCA alone must flip, or this shows nothing"


def test_the_kept_variance_worked_by_hand():
    # Unit vectors on three axes form a triangle, which two directions keep; of four, 2/3 is kept.
    for n, kept in ((3, 1.0), (4, 2 / 3)):
        vectors = 5 * torch.eye(n, dtype=torch.float64)
        assert kept_variance(vectors, growing_layout(vectors)) == pytest.approx(kept)
    assert kept_variance(torch.ones(4, 3), growing_layout(torch.ones(4, 3))) == 1.0


def test_the_nearest_own_sense_worked_by_hand():
    # By angle: 0, 10 and 80 degrees are of sense 0, 90 and 70 of sense 1, 130 alone of sense 2.
    angles = [0, 10, 80, 90, 70, 130]
    vectors = torch.tensor([[math.cos(math.radians(a)), math.sin(math.radians(a))] for a in angles])
    own = own_senses(vectors, torch.tensor([0, 0, 0, 1, 1, 2]), 4)
    # The others of sense 0 are at 45, 40 and 5 degrees, its mean at 28; sense 1 is at 70 to 90.
    assert own.choice.senses.tolist() == [0, 0, 1, 1, 1, 1]
    assert own.is_judged.tolist() == [True] * 5 + [False]
    assert own.is_own.tolist() == [True, True, False, True, True, False]
    assert (own.n_own, own.n_judged, own.n_most_frequent, own.interval) == (4, 5, 3, None)


def test_the_nearest_own_sense_against_scikit_learn():
    from sklearn.metrics.pairwise import cosine_similarity
    from sklearn.neighbors import NearestCentroid

    vectors, senses = cloud(29, 11), torch.arange(29) % 3
    vectors += torch.eye(11, dtype=torch.float64)[senses]
    own = own_senses(vectors, senses, 3)
    chosen = []
    for i in range(29):
        others = torch.arange(29) != i
        fitted = NearestCentroid().fit(vectors[others].numpy(), senses[others].numpy())
        near = cosine_similarity(vectors[[i]].numpy(), fitted.centroids_)[0]
        chosen.append(int(fitted.classes_[near.argmax()]))
    assert own.choice.senses.tolist() == chosen
    assert own.n_judged == 29 and 0 < own.n_own < 29
    assert own.n_own == sum(one == true for one, true in zip(chosen, senses.tolist(), strict=True))


def test_the_interval_begins_at_ten_sentences_and_a_copy_judges_nothing():
    vectors, senses = cloud(10), torch.arange(10) % 2
    assert own_senses(vectors[:9], senses[:9], 2).interval is None
    low, high = own_senses(vectors, senses, 2).interval
    assert 0 <= low < own_senses(vectors, senses, 2).n_own / 10 < high <= 1
    twice = own_senses(vectors[[0, 0, 1]], torch.tensor([0, 0, 1]), 2, torch.tensor([0, 0, 1]))
    assert not twice.is_judged.any() and twice.n_most_frequent == 0


def test_a_class_with_one_sense_is_not_judged():
    own = own_senses(cloud(5), torch.zeros(5, dtype=torch.long), 3)
    assert own.n_judged == 0 and own.interval is None
