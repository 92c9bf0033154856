"""Clusters and purity of uses: by hand, whatever the lengths, and in one order."""

import pytest
import torch

from mlm_core.embeddings.clusters import cluster_by_cosine, neighbour_purity, purity_by_chance


def test_two_directions_are_two_clusters_and_the_larger_is_the_first():
    vectors = torch.tensor([[0.0, 3.0], [5.0, 0.1], [0.2, 9.0], [7.0, 0.0], [0.1, 1.0]])
    assert cluster_by_cosine(vectors, 2).tolist() == [0, 1, 0, 1, 0]


def test_lengths_do_not_count_and_the_order_of_uses_only_names_no_cluster():
    generator = torch.Generator().manual_seed(3)
    centres = torch.eye(3, 7).repeat_interleave(5, dim=0)
    vectors = centres + 0.1 * torch.randn(15, 7, generator=generator)
    found = cluster_by_cosine(vectors, 3)
    assert torch.equal(found, cluster_by_cosine(vectors * torch.arange(1, 16)[:, None], 3))
    assert [len(set(part.tolist())) for part in found.split(5)] == [1, 1, 1]
    assert len(set(found.tolist())) == 3


def test_equal_uses_are_one_cluster_however_many_are_asked_for():
    assert cluster_by_cosine(torch.ones(4, 3), 3).tolist() == [0, 0, 0, 0]


def test_more_clusters_than_uses_are_refused():
    with pytest.raises(ValueError, match="from 1 to 2"):
        cluster_by_cosine(torch.eye(2), 3)


def test_purity_worked_by_hand():
    """Directions of 0, 10, 30, 90 and 120 degrees: the nearest are 1, 0, 1, 4 and 3."""
    angles = torch.tensor([0.0, 10, 30, 90, 120]).deg2rad()
    vectors = torch.stack([angles.cos(), angles.sin()], dim=1) * torch.arange(1, 6)[:, None]
    labels = torch.tensor([0, 0, 1, 1, 1])
    assert neighbour_purity(vectors, labels).tolist() == [1, 1, 0, 1, 1]
    # With chance: 1 of the 4 others for each of the first two, 2 of 4 for the last three.
    assert purity_by_chance(labels) == pytest.approx((2 * 1 / 4 + 3 * 2 / 4) / 5)


def test_neighbours_that_are_equally_near_count_alike_in_any_order():
    vectors = torch.eye(2, 5).repeat_interleave(torch.tensor([4, 3]), dim=0)
    labels = torch.tensor([0, 0, 1, 1, 0, 1, 1])
    expected = [1 / 3, 1 / 3, 1 / 3, 1 / 3, 0, 1 / 2, 1 / 2]
    for order in (torch.arange(7), torch.arange(7).flip(0), torch.tensor([3, 6, 0, 5, 1, 4, 2])):
        found = neighbour_purity(vectors[order], labels[order])
        torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64)[order])


def test_the_purity_of_vectors_that_are_all_equal_is_that_of_chance():
    labels = torch.tensor([0, 1, 1, 0, 0, 1, 0])
    found = neighbour_purity(torch.ones(7, 3), labels).mean().item()
    assert found == pytest.approx(purity_by_chance(labels))


def test_the_purity_of_one_use_is_refused():
    with pytest.raises(ValueError, match="needs at least 2"):
        neighbour_purity(torch.ones(1, 3), torch.zeros(1, dtype=torch.long))
