"""Our UMAP: its graph against umap-learn's, yardsticks by hand, maps as true as the library's."""

import math

import numpy as np
import pytest
from scipy.optimize import curve_fit

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.maps import umap_layout
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.embeddings.trust import trust_map
from mlm_core.embeddings.umap_fit import (
    CURVES,
    MIN_DIST,
    bandwidth,
    cosine_distances,
    fit_umap,
    neighbour_graph,
    pull_and_push,
)
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.stored.maps import SEED, read_maps


def groups(n_each: int = 12, hidden: int = 7, n_groups: int = 3) -> np.ndarray:
    rng = np.random.default_rng(5)
    centres = 4 * np.eye(n_groups, hidden).repeat(n_each, axis=0)
    return rng.normal(size=(n_each * n_groups, hidden)) + centres


def test_distances_are_one_minus_cosine_and_a_point_is_at_its_own_place():
    vectors = groups()
    distances = cosine_distances(vectors)
    i, j = 3, 20
    cosine = vectors[i] @ vectors[j] / np.linalg.norm(vectors[i]) / np.linalg.norm(vectors[j])
    assert distances[i, j] == pytest.approx(1 - cosine, abs=1e-12)
    assert (np.diag(distances) == 0).all()


def test_the_yardstick_worked_by_hand():
    """Of four, log2 4 = 2 in all: 1 of the nearest, so the others' exp(-2/s) are 1/2 each."""
    rho, sigma = bandwidth(np.array([0.0, 1.0, 3.0, 3.0]), smallest=1.0)
    assert rho == 1.0
    assert sigma == pytest.approx(2 / math.log(2), abs=1e-4)


def test_the_graph_is_symmetric_and_each_point_is_fully_near_to_its_nearest():
    graph = neighbour_graph(cosine_distances(groups()), 6)
    np.testing.assert_allclose(graph, graph.T)
    assert (np.diag(graph) == 0).all()
    np.testing.assert_allclose(graph.max(axis=1), 1)


def test_the_graph_is_that_of_umap_learn():
    """Written down, because umap-learn compiles for minutes where a processor is shared.

    From umap.umap_.fuzzy_simplicial_set(points, 4, RandomState(0), "cosine"), version 0.5.12, in
    float32, without two points that are equally far from several: there it chooses others.
    """
    points = [[(i * j) % 7 - 3 + i / 5 for j in range(1, 6)] for i in range(9)]
    theirs = [
        [0, 0, 0, 0.78504, 0.41831, 0, 1],
        [0, 0, 0, 1, 0, 0.64869, 0.35131],
        [0, 0, 0, 0, 0.801, 1, 0.21402],
        [0.78504, 1, 0, 0, 0, 0.04259, 1],
        [0.41831, 0, 0.801, 0, 0, 0.99701, 1],
        [0, 0.64869, 1, 0.04259, 0.99701, 0, 0],
        [1, 0.35131, 0.21402, 1, 1, 0, 0],
    ]
    ours = neighbour_graph(cosine_distances(np.array(points)), 4)
    kept = [1, 2, 3, 4, 5, 6, 8]
    np.testing.assert_allclose(ours[np.ix_(kept, kept)], theirs, atol=2e-5)


@pytest.mark.parametrize("min_dist", CURVES)
def test_each_curve_is_the_one_that_umap_learn_fits(min_dist):
    """umap-learn's find_ab_params fits 300 distances up to 3 by scipy's curve_fit."""

    def curve(distance, a, b):
        return 1 / (1 + a * distance ** (2 * b))

    distance = np.linspace(0, 3, 300)
    wished = np.where(distance < min_dist, 1, np.exp(min_dist - distance))
    fitted, _ = curve_fit(curve, distance, wished)
    np.testing.assert_allclose(CURVES[min_dist], fitted, rtol=1e-6)


def test_a_larger_min_dist_keeps_nearest_neighbours_further_apart():
    vectors, nearest = groups(), []
    for min_dist in (0.0, MIN_DIST, 0.8):
        layout = fit_umap(vectors, vectors[:, :2], 6, seed=1, min_dist=min_dist)
        gaps = np.linalg.norm(layout[:, None] - layout, axis=-1)
        nearest.append(np.median((gaps + 9 * np.eye(len(gaps))).min(axis=1)))
    assert nearest == sorted(nearest) and nearest[-1] > 2 * nearest[0]


def test_a_min_dist_without_a_curve_is_refused():
    with pytest.raises(ValueError, match=r"min_dist 0\.3: choose one of 0\.0, 0\.1"):
        fit_umap(groups(), groups()[:, :2], 6, seed=1, min_dist=0.3)


def test_the_map_is_as_true_as_the_stored_one_which_umap_learn_made():
    """A mean over layers, for chance moves single neighbours."""
    uses = all_layers_word_vectors(load(BUNDLED), stored_word("mouse").sentences)
    stored = read_maps("mouse")
    ours, theirs = [], []
    for layer in (4, 8, 12):
        vectors = uses.states[layer]
        ours.append(trust_map(vectors, umap_layout(vectors, SEED, fit=fit_umap)).trustworthiness)
        theirs.append(trust_map(vectors, stored.at(layer)).trustworthiness)
    # From seed to seed a map of 54 points varies by some 0.015, the difference of two means of
    # three by 0.015 * sqrt(2 / 3) = 0.012; four of these.
    assert np.mean(ours) > np.mean(theirs) - 0.05


def test_equal_seeds_give_equal_maps_and_others_give_others():
    vectors = groups()
    start = vectors[:, :2]
    first = fit_umap(vectors, start, 6, seed=1)
    np.testing.assert_array_equal(first, fit_umap(vectors, start, 6, seed=1))
    assert not np.allclose(first, fit_umap(vectors, start, 6, seed=2))


def test_without_a_graph_the_start_fills_the_box_and_nothing_moves():
    places = pull_and_push(np.zeros((36, 36)), groups()[:, :2], seed=1)
    np.testing.assert_allclose(places.min(axis=0), 0)
    np.testing.assert_allclose(places.max(axis=0), 10)


@pytest.mark.parametrize("vectors", [np.ones((6, 4)), np.zeros((6, 4)), np.eye(6)])
def test_points_that_are_all_alike_or_all_apart_have_a_map(vectors: np.ndarray):
    start = np.random.default_rng(3).normal(size=(6, 2))
    assert np.isfinite(fit_umap(vectors, start, 5, seed=0)).all()


@pytest.mark.parametrize("n_neighbours", [1, 37])
def test_too_few_or_too_many_neighbours_are_refused(n_neighbours: int):
    with pytest.raises(ValueError, match=f"{n_neighbours} neighbours of 36 points: choose from 2"):
        neighbour_graph(cosine_distances(groups()), n_neighbours)
