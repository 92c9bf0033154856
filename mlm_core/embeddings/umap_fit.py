"""UMAP for a few hundred points: a graph of neighbours, and a layout of it.

    weight      w(i, j) = exp(-(d(i, j) - rho_i) / sigma_i)      rho_i: distance of the nearest
                sigma_i so that the weights of the k neighbours sum to log2 k
    symmetric   w + w^T - w * w^T: an edge where i is a neighbour of j OR j of i
    layout      minimize the cross-entropy of these weights with 1 / (1 + a d^(2b)), d on the map:
                edges attract their ends, random pairs of points repel each other

`fit_umap_learn` calls umap-learn, the authors' library, which compiles these steps for millions of
points: 440 MB and ten seconds before its first map. `fit_umap` is the same in numpy, to be read,
and for a machine without that memory: some hundred points take about a second.

Source: McInnes et al. 2018, sections 3 and 4, algorithms 1 to 5.
Departs: neighbours are found exactly; the moves of one epoch are made in a few groups, and not
one after another.

Read before this: word_senses.py.
"""

import contextlib
import math
import warnings

import numpy as np
from numpy.random import Generator, default_rng

from mlm_core.shapes import Float, Int

# The curve's a and b by min_dist: 1 up to that distance, then exp(-(d - min_dist)), fitted by
# umap-learn's find_ab_params (tested).
CURVES = {
    0.0: (1.93280840, 0.79049497),
    0.1: (1.57694346, 0.89506088),
    0.25: (1.12143634, 1.05749988),
    0.5: (0.58303002, 1.33416699),
    0.8: (0.23206271, 1.68123160),
}
N_NEIGHBOURS = 15  # UMAP's own default: smaller shows finer grain, larger the broad shape
MIN_DIST = 0.1  # umap-learn's default: smaller packs neighbours closer together
N_EPOCHS = 500
N_PUSHES = 5  # random points that repel an end of each edge
GROUPS = 8  # of an epoch's edges; the next group starts from the moves of the last
LONGEST_MOVE = 4.0  # along an axis, for one attraction or repulsion
BOX = 10.0  # the starting coordinates fill this square
N_HALVINGS = 64  # of the interval in which sigma is searched
SMALLEST_SIGMA = 1e-3  # times the mean distance

Coordinates = Float[np.ndarray, "point 2"]


def cosine_distances(
    vectors: Float[np.ndarray, "point hidden"],
) -> Float[np.ndarray, "point other"]:
    """Return 1 - cosine for each pair, from 0 to 2; 1 for a vector of zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.maximum(lengths, 1e-12)
    distances = np.clip(1 - unit @ unit.T, 0, 2)
    np.fill_diagonal(distances, 0)
    return distances


def bandwidth(distances: Float[np.ndarray, " neighbour"], smallest: float) -> tuple[float, float]:
    """Return rho, the distance of the nearest, and sigma of one point's k neighbours.

    `distances` begin with the point itself, at 0. Neighbours at 0 have weight 1.
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
    return rho, max(sigma, SMALLEST_SIGMA * smallest)


def neighbour_graph(
    distances: Float[np.ndarray, "point other"], n_neighbours: int
) -> Float[np.ndarray, "point other"]:
    """Return the weight of each pair, from 0 to 1; 0 if they are no neighbours.

    A point is one of its `n_neighbours`, as in umap-learn.
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
        # sigma is 0 where all points are equal: then all weights are 1.
        directed[i, near[i]] = np.exp(-beyond / sigma) if sigma > 0 else 1.0
    np.fill_diagonal(directed, 0)
    return directed + directed.T - directed * directed.T


def pull_and_push(
    graph: Float[np.ndarray, "point other"],
    start: Coordinates,
    seed: int,
    n_epochs: int = N_EPOCHS,
    min_dist: float = MIN_DIST,
) -> Coordinates:
    """Return the layout of the graph; equal seeds give equal layouts.

    The frequency of an edge's attraction is its weight: the largest attracts in every epoch.
    Raises ValueError for a `min_dist` that CURVES lacks.
    """
    if min_dist not in CURVES:
        raise ValueError(f"min_dist {min_dist}: choose one of {', '.join(map(str, CURVES))}")
    low, high = start.min(axis=0), start.max(axis=0)
    coordinates = BOX * (start - low) / np.maximum(high - low, 1e-12)
    rng = default_rng(seed)
    strongest = graph.max(initial=0)
    if strongest == 0:
        return coordinates
    heads, tails = np.nonzero(graph >= max(strongest / n_epochs, 1e-12))
    period = strongest / graph[heads, tails]  # epochs from one attraction to the next
    due = period.copy()
    for epoch in range(n_epochs):
        now = np.flatnonzero(due <= epoch)
        due[now] += period[now]
        rng.shuffle(now)
        rate = 1 - epoch / n_epochs
        for group in np.array_split(now, GROUPS):
            if len(group):
                _move(coordinates, heads[group], tails[group], rate, rng, CURVES[min_dist])
    return coordinates


def fit_umap(
    vectors: Float[np.ndarray, "point hidden"],
    start: Coordinates,
    n_neighbours: int,
    seed: int,
    min_dist: float = MIN_DIST,
) -> Coordinates:
    """Return UMAP's map by cosine, from starting coordinates; equal seeds, equal maps."""
    graph = neighbour_graph(cosine_distances(vectors.astype(np.float64)), n_neighbours)
    return pull_and_push(graph, start.astype(np.float64), seed, min_dist=min_dist)


def fit_umap_learn(
    vectors: Float[np.ndarray, "point hidden"],
    start: Coordinates,
    n_neighbours: int,
    seed: int,
    min_dist: float = MIN_DIST,
) -> Coordinates:
    """Return the map of the authors' library; equal seeds, equal maps on one machine.

    Never two at once in one process: its threads can abort it. The first fit on a machine compiles
    for ten seconds; what was compiled is stored, and the next process begins within a second.
    """
    with warnings.catch_warnings():
        # umap says at its import that tensorflow, which nothing here needs, is missing.
        warnings.simplefilter("ignore", ImportWarning)
        from umap import UMAP

    _store_what_compiles()
    reducer = UMAP(
        n_components=2,
        n_neighbors=n_neighbours,
        min_dist=min_dist,
        metric="cosine",
        init=start.astype(np.float32),
        random_state=seed,
        n_jobs=1,  # a seed allows one thread only, and UMAP warns if it is asked for more
    )
    return reducer.fit_transform(vectors.astype(np.float32)).astype(np.float64)


def compile_umap_learn() -> None:
    """Import umap-learn and fit a few points, so that the next map takes a moment."""
    rng = default_rng(0)
    fit_umap_learn(rng.normal(size=(20, 8)), rng.normal(size=(20, 2)), 5, seed=0)


def _store_what_compiles() -> None:
    """Let numba store umap's compiled functions, as umap-learn itself does for a single one.

    First fit of a second process: 0.5 s instead of 10 to 18, and 340 MB instead of 435.
    """
    import umap.layouts
    import umap.umap_
    import umap.utils

    for module in (umap.utils, umap.layouts, umap.umap_):
        for function in vars(module).values():
            is_compiled = hasattr(function, "enable_caching")  # one of numba's dispatchers
            if is_compiled and type(function._cache).__name__ == "NullCache":
                # numba raises it where no folder can be written: then it compiles each time.
                with contextlib.suppress(RuntimeError):
                    function.enable_caching()


def _move(
    coordinates: Coordinates,
    heads: Int[np.ndarray, " pull"],
    tails: Int[np.ndarray, " pull"],
    rate: float,
    rng: Generator,
    curve: tuple[float, float],
) -> None:
    """Move the ends of some edges together, and their heads away from random points."""
    a, b = curve
    gap = coordinates[heads] - coordinates[tails]
    squared = (gap**2).sum(axis=1)
    # The derivative of the log of 1 / (1 + a d^(2b)) by d^2; equal points have no direction.
    safe = np.where(squared > 0, squared, 1.0)
    strength = np.where(squared > 0, -2 * a * b * safe ** (b - 1) / (a * safe**b + 1), 0.0)
    pull = np.clip(strength[:, None] * gap, -LONGEST_MOVE, LONGEST_MOVE)
    pushed = np.repeat(heads, N_PUSHES)
    others = rng.integers(len(coordinates), size=len(pushed))
    gap = coordinates[pushed] - coordinates[others]
    squared = (gap**2).sum(axis=1)
    strength = 2 * b / ((0.001 + squared) * (a * squared**b + 1))
    push = np.clip(strength[:, None] * gap, -LONGEST_MOVE, LONGEST_MOVE)
    np.add.at(coordinates, heads, rate * pull)
    np.add.at(coordinates, tails, -rate * pull)
    np.add.at(coordinates, pushed, rate * push)
