"""Trustworthiness of a map, point by point: are neighbours on it neighbours in the vector space?

    T(k) = 1 - 2 / (n k (2n - 3k - 1)) * Σ_i Σ_{j in U_k(i)} (r(i, j) - k)

U_k(i) are the points among the k nearest to i on the map that are not among its k nearest in
truth, and r(i, j) is j's true rank as a neighbour of i. 1: every neighbour on the map is one in
truth. About 0.5: a map drawn at random. Each point has its own summand, so that a figure can ring
the points whose nearest neighbours differ between map and vector space.

Source: Venna & Kaski 2001; scikit-learn's trustworthiness gives the same mean (tested).

Read before this: maps.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.embeddings.word_senses import cosines
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class Trust:
    """How far each point's neighbours on the map are neighbours in truth."""

    n_neighbours: int  # k
    scores: Float[Tensor, " point"]  # each point's trustworthiness; 1 is the best
    neighbours: Int[Tensor, "point neighbour"]  # the true ones by cosine, nearest first
    map_neighbours: Int[Tensor, "point neighbour"]  # those on the map, nearest first
    is_true: Bool[Tensor, "point neighbour"]  # which of the map's neighbours are true ones

    @property
    def trustworthiness(self) -> float:
        """Return T(k), the mean over all points."""
        return self.scores.mean().item()

    @property
    def kept_proportions(self) -> Float[Tensor, " point"]:
        """Return for each point the share of its neighbours on the map that are true."""
        return self.is_true.double().mean(dim=1)


def largest_neighbourhood(n_points: int) -> int:
    """Return the largest k for which trustworthiness is defined: less than half the points."""
    return (n_points - 1) // 2


def trust_map(
    vectors: Float[Tensor, "point hidden"], layout: Float[Tensor, "point 2"], n_neighbours: int = 5
) -> Trust:
    """Return how far a map keeps the neighbourhoods that the vectors have by cosine.

    Raises ValueError if n_neighbours is not at least 1 and less than half the points.
    """
    n_points, largest = len(vectors), largest_neighbourhood(len(vectors))
    if not 1 <= n_neighbours <= largest:
        raise ValueError(
            f"{n_neighbours} neighbours of {n_points} points: choose from 1 to {largest}"
            if largest
            else f"{n_points} points have no neighbourhoods to compare: give at least 3"
        )
    order = _by_distance(1 - cosines(vectors.double(), vectors.double()))
    map_order = _by_distance(torch.cdist(layout.double(), layout.double()))
    map_neighbours = map_order[:, :n_neighbours]
    true_ranks = _ranks(order, n_points).gather(1, map_neighbours)
    scale = 2 / (n_neighbours * (2 * n_points - 3 * n_neighbours - 1))
    return Trust(
        n_neighbours=n_neighbours,
        scores=1 - scale * (true_ranks - n_neighbours).clamp(min=0).sum(dim=1).double(),
        neighbours=order[:, :n_neighbours],
        map_neighbours=map_neighbours,
        is_true=true_ranks <= n_neighbours,
    )


def _by_distance(distances: Float[Tensor, "point other"]) -> Int[Tensor, "point neighbour"]:
    """Return each point's other points, from near to far; of equals the earlier comes first."""
    distances = distances.clone().fill_diagonal_(-1)  # itself first, then cut off
    return distances.argsort(dim=1, stable=True)[:, 1:]


def _ranks(order: Int[Tensor, "point neighbour"], n_points: int) -> Int[Tensor, "point other"]:
    """Return each other point's rank as a neighbour, from 1; 0 for the point itself."""
    ranks = order.new_zeros(n_points, n_points)
    by_place = torch.arange(1, n_points, device=order.device)
    return ranks.scatter(1, order, by_place.expand_as(order))
