"""Uses of a word in clusters, without a list of senses.

    1. as many starting vectors as clusters: the first use, then always the use that is least like
       those before
    2. each use joins the start with the largest cosine; each cluster's mean is its new start
    3. again, until no use changes its cluster

Source: Schütze 1998 for senses as clusters of uses; Dhillon & Modha 2001 for k-means by cosine.
Departs: Dhillon & Modha start with random vectors; here equal uses have equal clusters in each run.

Read before this: word_senses.py.
"""

import torch
from torch.nn import functional as F

from mlm_core.embeddings.word_senses import cosines, sense_centroids
from mlm_core.shapes import Float, Int, Tensor

MOST_ROUNDS = 50


def cluster_by_cosine(vectors: Float[Tensor, "use hidden"], n_clusters: int) -> Int[Tensor, " use"]:
    """Return each use's cluster; the largest cluster is number 0.

    Raises ValueError for no cluster, or fewer uses than clusters.

    >>> cluster_by_cosine(torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.1, 1.0]]), 2)
    tensor([1, 0, 0])
    """
    if not 1 <= n_clusters <= len(vectors):
        raise ValueError(f"{n_clusters} clusters of {len(vectors)} uses: from 1 to {len(vectors)}")
    vectors = F.normalize(vectors, dim=-1)
    starts = [0]
    while len(starts) < n_clusters:
        nearest = cosines(vectors, vectors[starts]).max(dim=1).values
        nearest[starts] = 2.0  # above every cosine: none starts twice
        starts.append(int(nearest.argmin()))
    centres, found = vectors[starts], torch.full((len(vectors),), -1)
    for _ in range(MOST_ROUNDS):
        joined = cosines(vectors, centres).argmax(dim=1)
        if torch.equal(joined, found):
            break
        found = joined
        means = sense_centroids(vectors, found, n_clusters)
        is_empty = torch.bincount(found, minlength=n_clusters) == 0
        centres = torch.where(is_empty[:, None], centres, means)
    order = torch.bincount(found, minlength=n_clusters).argsort(descending=True, stable=True)
    return order.argsort()[found]
