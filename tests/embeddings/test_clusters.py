"""Clusters of uses: by hand, whatever the lengths, and in one order."""

import pytest
import torch

from mlm_core.embeddings.clusters import cluster_by_cosine


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
