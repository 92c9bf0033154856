"""How well senses are separated: neighbours, centroids, silhouettes, by scikit-learn.

    k-NN         a sentence gets the most frequent sense of its k nearest sentences
    centroid     a sentence gets the sense whose mean vector is nearest
    silhouette   (b - a) / max(a, b): a is the mean distance to the own sense, b to the nearest one
                 of the others
    trustworthiness  as in trust.py, as one number for a map

Each sentence is judged by all others; sentences of equal text are left out together. Vectors have
length 1, so that the Euclidean distance ranks as the cosine does. A silhouette is 1 where senses
are far apart, 0 where they touch, negative where points lie among another sense.

Source: Cover & Hart 1967 (k-NN); Rousseeuw 1987 (silhouette); Venna & Kaski 2001.
Departs: word_senses.py, which has the textbook's method, compares with centroids by cosine; here
the centroid of unit vectors is compared by distance.

Read before this: word_senses.py, trust.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlm_core.shapes import Float, Int


@dataclass(frozen=True, kw_only=True)
class NeighbourScores:
    """The accuracy of k nearest neighbours for some k, and of the nearest centroid."""

    by_k: tuple[tuple[int, float], ...]  # (k, accuracy)
    centroid: float


@dataclass(frozen=True, kw_only=True)
class MapMeasures:
    """What a map keeps, in three numbers; a silhouette is None without two senses of points."""

    trustworthiness: float
    map_silhouette: float | None  # by the distance on the map
    vector_silhouette: float | None  # by the cosine distance of the vectors


def neighbour_scores(
    vectors: Float[np.ndarray, "example hidden"],
    senses: Int[np.ndarray, " example"],
    groups: Int[np.ndarray, " example"],
    ks: Sequence[int],
) -> NeighbourScores:
    """Return the accuracies with each group of sentences left out in turn.

    Raises ValueError if a k is larger than what remains of the examples, or there is one group.
    """
    from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
    from sklearn.neighbors import NearestCentroid, NearestNeighbors
    from sklearn.preprocessing import normalize

    largest_group = int(np.bincount(groups).max())
    most = len(groups) - largest_group
    if most < max(ks):
        raise ValueError(
            f"{max(ks)} neighbours, but only {most} sentences remain when those of one text are"
            " left out: choose fewer neighbours or add sentences"
        )
    # One search for all k: KNeighborsClassifier in a loop over k and sentences, which gives the
    # same numbers (tested), takes five seconds for 81 sentences.
    search = NearestNeighbors(n_neighbors=max(ks) + largest_group - 1, metric="cosine")
    near = search.fit(vectors).kneighbors(return_distance=False)  # without the point itself
    near = np.stack(
        [row[groups[row] != group][: max(ks)] for row, group in zip(near, groups, strict=True)]
    )
    votes = np.eye(senses.max() + 1)[senses[near]].cumsum(axis=1)  # of the first k, for each k
    by_centroid = cross_val_predict(
        NearestCentroid(), normalize(vectors), senses, groups=groups, cv=LeaveOneGroupOut()
    )
    return NeighbourScores(
        by_k=tuple((k, float((votes[:, k - 1].argmax(axis=1) == senses).mean())) for k in ks),
        centroid=float((by_centroid == senses).mean()),
    )


def map_measures(
    vectors: Float[np.ndarray, "point hidden"],
    layout: Float[np.ndarray, "point 2"],
    senses: Int[np.ndarray, " point"],
    n_neighbours: int,
) -> MapMeasures:
    """Return the trustworthiness and the silhouettes of a map.

    Raises ValueError if n_neighbours is not below half the points.
    """
    from sklearn.manifold import trustworthiness
    from sklearn.metrics import silhouette_score

    has_silhouette = 2 <= len(np.unique(senses)) < len(senses)
    return MapMeasures(
        trustworthiness=float(
            trustworthiness(vectors, layout, n_neighbors=n_neighbours, metric="cosine")
        ),
        map_silhouette=float(silhouette_score(layout, senses)) if has_silhouette else None,
        vector_silhouette=float(silhouette_score(vectors, senses, metric="cosine"))
        if has_silhouette
        else None,
    )
