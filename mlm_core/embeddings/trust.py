"""Trustworthiness of a map: are its neighbours neighbours in the vector space?

    T(k) = 1 - 2 / (n k (2n - 3k - 1)) * Σ_i Σ_{j in U_k(i)} (r(i, j) - k)

U_k(i) are the points among the k nearest to i on the map that are not among its k nearest in the
vector space, and r(i, j) is j's rank there as a neighbour of i. 1: all neighbours on the map are
neighbours in the vector space. About 0.5: a random map. Each point has a score, so that a figure
can ring the points whose nearest neighbours differ between map and vector space.

Source: Venna & Kaski 2001; scikit-learn's trustworthiness gives the same mean (tested).

Read before this: maps.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.embeddings.word_senses import cosines
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class Trust:
    """The neighbours of each point on the map and in the vector space."""

    n_neighbours: int  # k
    scores: Float[Tensor, " point"]  # each point's trustworthiness; 1 is the best
    neighbours: Int[Tensor, "point neighbour"]  # the true ones by cosine, nearest first
    map_neighbours: Int[Tensor, "point neighbour"]  # those on the map, nearest first
    is_true: Bool[Tensor, "point neighbour"]  # which of the map's neighbours are true ones

    @property
    def trustworthiness(self) -> float:
        """Return T(k), the mean over all points."""
        return self.scores.mean().item()


def largest_neighbourhood(n_points: int) -> int:
    """Return the largest k of trustworthiness: less than half the points."""
    return (n_points - 1) // 2


def trust_map(
    vectors: Float[Tensor, "point hidden"], layout: Float[Tensor, "point 2"], n_neighbours: int = 5
) -> Trust:
    """Return how well a map keeps the vectors' nearest neighbours by cosine.

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
    map_neighbours = map_order[:, 1 : n_neighbours + 1]
    true_ranks = order.argsort(dim=1).gather(1, map_neighbours)
    scale = 2 / (n_neighbours * (2 * n_points - 3 * n_neighbours - 1))
    return Trust(
        n_neighbours=n_neighbours,
        scores=1 - scale * (true_ranks - n_neighbours).clamp(min=0).sum(dim=1).double(),
        neighbours=order[:, 1 : n_neighbours + 1],
        map_neighbours=map_neighbours,
        is_true=true_ranks <= n_neighbours,
    )


def _by_distance(distances: Float[Tensor, "point other"]) -> Int[Tensor, "point other"]:
    """Return each point, then the others from near to far; of equals the earlier."""
    return distances.clone().fill_diagonal_(-1).argsort(dim=1, stable=True)
