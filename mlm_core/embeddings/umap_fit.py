"""UMAP by umap-learn, its authors' library: a graph of neighbours, and a layout of it.

    weight      w(i, j) = exp(-(d(i, j) - rho_i) / sigma_i)      rho_i: distance of the nearest
                sigma_i so that the weights of the k neighbours sum to log2 k
    symmetric   w + w^T - w * w^T: an edge where i is a neighbour of j OR j of i
    layout      minimize the cross-entropy of these weights with 1 / (1 + a d^(2b)), d on the map:
                edges attract their ends, random pairs of points repel each other

The library compiles these steps for millions of points: 440 MB and ten seconds before the first
map on a machine. So this module imports no torch, and the app runs it in a helper process.

Source: McInnes et al. 2018, sections 3 and 4, algorithms 1 to 5.

Read before this: word_senses.py.
"""

import contextlib
import warnings

import numpy as np
from numpy.random import default_rng

from mlm_core.shapes import Float

N_NEIGHBOURS = 15  # UMAP's own default: smaller shows finer grain, larger the broad shape
MIN_DIST = 0.1  # umap-learn's default: smaller packs neighbours closer together

Coordinates = Float[np.ndarray, "point 2"]


def fit_umap_learn(
    vectors: Float[np.ndarray, "point hidden"],
    start: Coordinates,
    n_neighbours: int,
    seed: int,
    min_dist: float = MIN_DIST,
) -> Coordinates:
    """Return UMAP's map by cosine, from starting coordinates; equal seeds, equal maps.

    Equal on one machine. Never two at once in one process: its threads can abort it. The first
    fit on a machine compiles for ten seconds; what was compiled is stored, and the next process
    begins within a second.
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
