"""Maps: PCA by hand, alignment that only turns, trust that rings the right points.

tests/reference/test_embeddings_as_sklearn.py sets them beside scikit-learn's and scipy's.
"""

import math

import pytest
import torch

from mlm_core.embeddings.maps import (
    align,
    align_all,
    in_one_frame,
    pca_layout,
    project_point,
    umap_layout,
)
from mlm_core.embeddings.trust import largest_neighbourhood, trust_map
from tests.fresh import run_fresh


def cloud(n=23, hidden=7, seed=5, shift=0.0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, hidden, generator=generator, dtype=torch.float64) + shift


def test_pca_worked_by_hand():
    # Unit vectors at angles of 0 and 60 degrees: they differ along one line, 1 apart.
    vectors = torch.tensor([[2.0, 0.0], [1.0, math.sqrt(3)]], dtype=torch.float64)
    layout = pca_layout(vectors)
    torch.testing.assert_close(layout[:, 0].abs(), torch.tensor([0.5, 0.5], dtype=torch.float64))
    torch.testing.assert_close(layout[:, 1], torch.zeros(2, dtype=torch.float64))


@pytest.mark.parametrize("vectors", [torch.ones(1, 5), torch.ones(4, 5), torch.zeros(3, 5)])
def test_one_point_and_equal_points_lie_at_the_middle(vectors):
    assert torch.equal(pca_layout(vectors), torch.zeros(len(vectors), 2))


def test_a_turned_mirrored_and_moved_map_is_turned_back():
    layout, cos, sin = cloud(11, 2), math.cos(2.1), math.sin(2.1)
    turn = torch.tensor([[cos, -sin], [sin, cos]], dtype=torch.float64)
    for mirror in (1.0, -1.0):
        moved = layout @ (turn * torch.tensor([1.0, mirror], dtype=torch.float64)) + 4.0
        torch.testing.assert_close(align(moved, layout), layout)


def test_maps_in_one_frame_lie_along_it_and_keep_the_ratios_of_their_distances():
    # Three maps of a tall cloud, two of them in other sizes and places.
    tall = cloud(11, 2) * torch.tensor([1.0, 5.0], dtype=torch.float64)
    layouts = torch.stack([7 * tall + 2, 0.5 * cloud(11, 2, seed=9), tall])
    framed = in_one_frame(layouts)
    for before, after in zip(layouts, framed, strict=True):
        ratios = torch.cdist(after, after) / torch.cdist(before, before).fill_diagonal_(1)
        torch.testing.assert_close(ratios, ratios[0, 1] * (1 - torch.eye(11, dtype=ratios.dtype)))
    torch.testing.assert_close(torch.cdist(framed[-1], framed[-1]), torch.cdist(tall, tall))
    torch.testing.assert_close(framed[0], framed[-1])  # maps that were aligned stay so
    (width, height), sizes = framed.flatten(0, 1).aminmax(dim=0), framed.aminmax(dim=1)
    width, height = (height - width).tolist()
    assert 0.25 <= height / width <= 0.5
    filled = (sizes.max - sizes.min) / torch.tensor([width, height])
    torch.testing.assert_close(filled.amax(dim=1), torch.ones(3, dtype=torch.float64))


@pytest.mark.parametrize("layouts", [torch.ones(2, 5, 2), torch.ones(3, 1, 2)])
def test_points_on_one_spot_are_put_in_the_middle_of_a_frame(layouts):
    assert torch.equal(in_one_frame(layouts), torch.zeros_like(layouts))


def test_alignment_keeps_distances():
    layout, target = cloud(11, 2), cloud(11, 2, seed=9)
    aligned = align(layout, target)
    torch.testing.assert_close(torch.cdist(aligned, aligned), torch.cdist(layout, layout))


def test_every_layer_is_aligned_with_the_one_above_and_the_last_stays():
    layouts = torch.stack([cloud(9, 2, seed=s) for s in range(4)])
    aligned = align_all(layouts)
    assert torch.equal(aligned[-1], layouts[-1])
    for lower, upper, raw in zip(aligned, aligned[1:], layouts, strict=False):
        torch.testing.assert_close(lower, align(raw, upper))


UMAP = """
import math, torch
from mlm_core.embeddings.maps import umap_layout

generator = torch.Generator().manual_seed(5)
vectors = torch.randn(36, 7, generator=generator) + 6 * torch.eye(3, 7).repeat_interleave(12, dim=0)
vectors[1] = vectors[0]
layout = umap_layout(vectors, 4)
assert layout.shape == (36, 2) and layout.dtype == vectors.dtype and layout.isfinite().all()
assert torch.equal(layout, umap_layout(vectors, 4))
assert not torch.equal(layout, umap_layout(vectors, 5))
nearest = torch.cdist(layout, layout).fill_diagonal_(math.inf).argmin(dim=1)
assert (nearest // 12 == torch.arange(36) // 12).double().mean() > 0.9
"""


def test_umap_keeps_clusters_together_and_the_same_seed_gives_the_same_map():
    ran = run_fresh(UMAP)  # apart: umap-learn's libraries take 300 MB, which a process keeps
    assert ran.returncode == 0, ran.stderr[-2000:]


def test_umap_refuses_a_handful():
    with pytest.raises(ValueError, match="4 points: UMAP needs at least 5, show them by PCA"):
        umap_layout(cloud(4).float(), 0)


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_vectors_with_nan_have_no_map(broken):
    vectors = cloud(8).float()
    vectors[2, 3] = broken
    for make_map in (pca_layout, lambda vectors: umap_layout(vectors, 0)):
        with pytest.raises(ValueError, match="1 of 8 vectors have NaN or infinite numbers"):
            make_map(vectors)


def test_trust_worked_by_hand():
    """Five points on an arc; on the map the last has been put beside the first."""
    angles = torch.tensor([0.0, 0.1, 0.3, 0.6, 1.0], dtype=torch.float64)
    vectors = torch.stack([angles.cos(), angles.sin()], dim=1)
    layout = torch.tensor([[0.0, 0], [1, 0], [3, 0], [6, 0], [-0.5, 0]], dtype=torch.float64)
    trust = trust_map(vectors, layout, 1)
    # With k = 1 each point's summand is 2 / (2 * 5 - 3 - 1) * (rank - 1). Point 0 has point 4 for
    # its neighbour, truly its 4th; point 4 has point 0, truly its 4th; the others' are true.
    assert trust.map_neighbours.tolist() == [[4], [0], [1], [2], [0]]
    assert trust.neighbours.tolist() == [[1], [0], [1], [2], [3]]
    torch.testing.assert_close(trust.scores, torch.tensor([0.0, 1, 1, 1, 0], dtype=torch.float64))
    assert trust.trustworthiness == pytest.approx(0.6)
    assert trust.is_true.double().mean(dim=1).tolist() == [0, 1, 1, 1, 0]


@pytest.mark.parametrize(("n", "largest"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (11, 5)])
def test_neighbourhoods_of_half_the_points_are_refused(n, largest):
    assert largest_neighbourhood(n) == largest
    with pytest.raises(ValueError, match="points"):
        trust_map(cloud(n), cloud(n, 2), largest + 1)
    if largest:
        assert 0 <= trust_map(cloud(n), cloud(n, 2), largest).trustworthiness <= 1


def test_a_new_point_lands_amid_its_nearest_examples_worked_by_hand():
    vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]], dtype=torch.float64)
    layout = torch.tensor([[0.0, 0.0], [9.0, 3.0], [-50.0, 0.0]], dtype=torch.float64)
    point = torch.tensor([[4.0, 3.0]], dtype=torch.float64)
    # Cosines 0.8 and 0.96: weights 1 / 0.2 = 5 and 1 / 0.04 = 25, so 25 / 30 of the way.
    place = project_point(point, vectors, layout, 2)
    torch.testing.assert_close(place, torch.tensor([[7.5, 2.5]], dtype=torch.float64))
    torch.testing.assert_close(project_point(vectors, vectors, layout), layout, atol=1e-3, rtol=0)
    with pytest.raises(ValueError, match="a map without points"):
        project_point(point, vectors[:0], layout[:0])
