"""UMAP for a few hundred points: a graph of near neighbours, laid out flat by pulls and pushes.

    distances -> each point's neighbours -> how near each is, by the point's own yardstick
              -> the graph: near for one OR the other -> pulls along it, pushes off random points

    nearness   w(i, j) = exp(-(d(i, j) - rho_i) / sigma_i)      rho_i: distance of the nearest
               sigma_i so that the k neighbours' w sum to log2 k
    either     w + w^T - w * w^T
    flat       the map's own nearness is 1 / (1 + a d^(2b)); its cross-entropy with w is lowered

umap-learn, the authors' library, compiles this for millions of points; that takes 370 MB and ten
seconds before its first map, which a class on one small server doesn't have. For some hundred
points the same steps in numpy take about a second.

Source: McInnes et al. 2018, sections 3 and 4, algorithms 1 to 5.
Departs: neighbours are found exactly; the pulls and pushes of one epoch are made in a few groups
at once, and not one after another.

Read before this: word_senses.py.
"""

import math

import numpy as np
from numpy.random import Generator, default_rng

from mlm_core.shapes import Bool, Float, Int

A, B = 1.57694346, 0.89506088  # the curve that is 1 up to a distance of 0.1 and then falls, fitted
N_EPOCHS = 500
N_PUSHES = 5  # random points that push an end of each pull away
GROUPS = 8  # of an epoch's pulls; what one group does is seen by the next
LONGEST_MOVE = 4.0  # along an axis, for one pull or push
BOX = 10.0  # the starting places fill this square
N_HALVINGS = 64  # of the interval in which a yardstick is searched
SMALLEST_YARDSTICK = 1e-3  # of the mean distance

Places = Float[np.ndarray, "point 2"]


def cosine_distances(
    vectors: Float[np.ndarray, "point hidden"],
) -> Float[np.ndarray, "point other"]:
    """Return 1 - cosine for each pair, from 0 to 2; a vector of zeros is 1 from all others."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.maximum(lengths, 1e-12)
    distances = np.clip(1 - unit @ unit.T, 0, 2)
    np.fill_diagonal(distances, 0)
    return distances


def bandwidth(distances: Float[np.ndarray, " neighbour"], smallest: float) -> tuple[float, float]:
    """Return rho, the distance of the nearest, and sigma, for one point's k neighbours.

    `distances` begin with the point itself, at 0. Neighbours at 0 count as near as can be.
    """
    above_zero = distances[distances > 0]
    rho = float(above_zero.min()) if len(above_zero) else 0.0
    target, low, high, sigma = math.log2(len(distances)), 0.0, math.inf, 1.0
    beyond = np.maximum(distances[1:] - rho, 0)
    for _ in range(N_HALVINGS):
        total = np.exp(-beyond / sigma).sum()
        if abs(total - target) < 1e-5:
            break
        if total > target:
            high = sigma
            sigma = (low + high) / 2
        else:
            low = sigma
            sigma = 2 * sigma if high == math.inf else (low + high) / 2
    return rho, max(sigma, SMALLEST_YARDSTICK * smallest)


def neighbour_graph(
    distances: Float[np.ndarray, "point other"], n_neighbours: int
) -> Float[np.ndarray, "point other"]:
    """Return how near each pair is, from 0 to 1, for one of the two or the other.

    A point counts among its own `n_neighbours`, as in umap-learn.
    """
    n = len(distances)
    if not 2 <= n_neighbours <= n:
        raise ValueError(f"{n_neighbours} neighbours of {n} points: choose from 2 to {n}")
    near = np.argsort(distances, axis=1, kind="stable")[:, :n_neighbours]
    near_distances = np.take_along_axis(distances, near, axis=1)
    mean = float(near_distances.mean())
    directed = np.zeros((n, n))
    for i in range(n):
        own_mean = float(near_distances[i].mean())
        rho, sigma = bandwidth(near_distances[i], own_mean if own_mean > 0 else mean)
        beyond = np.maximum(near_distances[i] - rho, 0)
        # Where all points are one there is no yardstick, and all are as near as can be.
        directed[i, near[i]] = np.exp(-beyond / sigma) if sigma > 0 else 1.0
    np.fill_diagonal(directed, 0)
    return directed + directed.T - directed * directed.T


def pull_and_push(
    graph: Float[np.ndarray, "point other"], start: Places, seed: int, n_epochs: int = N_EPOCHS
) -> Places:
    """Return the points' places after all pulls and pushes; equal seeds, equal maps.

    An edge pulls the more often the nearer its ends are: the nearest in every epoch.
    """
    places, rng = _in_box(start), default_rng(seed)
    strongest = graph.max(initial=0)
    if strongest == 0:
        return places
    heads, tails = np.nonzero(graph >= max(strongest / n_epochs, 1e-12))
    period = strongest / graph[heads, tails]  # epochs from one pull to the next
    due = period.copy()
    for epoch in range(n_epochs):
        now = np.flatnonzero(due <= epoch)
        due[now] += period[now]
        rng.shuffle(now)
        rate = 1 - epoch / n_epochs
        for group in np.array_split(now, GROUPS):
            if len(group):
                _move(places, heads[group], tails[group], rate, rng)
    return places


def fit_umap(
    vectors: Float[np.ndarray, "point hidden"], start: Places, n_neighbours: int, seed: int
) -> Places:
    """Return UMAP's map by cosine, from starting places; the same seed gives the same map."""
    graph = neighbour_graph(cosine_distances(vectors.astype(np.float64)), n_neighbours)
    return pull_and_push(graph, start.astype(np.float64), seed)


def _in_box(start: Places) -> Places:
    low, high = start.min(axis=0), start.max(axis=0)
    return BOX * (start - low) / np.maximum(high - low, 1e-12)


def _move(
    places: Places,
    heads: Int[np.ndarray, " pull"],
    tails: Int[np.ndarray, " pull"],
    rate: float,
    rng: Generator,
) -> None:
    """Pull the ends of some edges together, and push their heads off random points."""
    gap = places[heads] - places[tails]
    squared = (gap**2).sum(axis=1)
    is_apart = squared > 0
    pull = _clipped(_pull_strength(squared, is_apart)[:, None] * gap)
    pushed = np.repeat(heads, N_PUSHES)
    others = rng.integers(len(places), size=len(pushed))
    gap = places[pushed] - places[others]
    squared = (gap**2).sum(axis=1)
    strength = 2 * B / ((0.001 + squared) * (A * squared**B + 1))
    push = _clipped(strength[:, None] * gap)
    np.add.at(places, heads, rate * pull)
    np.add.at(places, tails, -rate * pull)
    np.add.at(places, pushed, rate * push)


def _pull_strength(
    squared: Float[np.ndarray, " pull"], is_apart: Bool[np.ndarray, " pull"]
) -> Float[np.ndarray, " pull"]:
    """Return the derivative of the log of the map's nearness, by the squared distance."""
    safe = np.where(is_apart, squared, 1.0)
    return np.where(is_apart, -2 * A * B * safe ** (B - 1) / (A * safe**B + 1), 0.0)


def _clipped(moves: Float[np.ndarray, "move 2"]) -> Float[np.ndarray, "move 2"]:
    return np.clip(moves, -LONGEST_MOVE, LONGEST_MOVE)
