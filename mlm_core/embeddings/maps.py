"""Vectors of hundreds of dimensions on a map of two: PCA and UMAP.

    PCA     the two directions of largest variance of the vectors, scaled to length 1
    UMAP    each point near its neighbours by cosine; large distances mean little

The map of a layer can be rotated onto the map of another (Procrustes), so that points move as
little as possible when the layer changes. Rotations and reflections change no distance on a map,
so a map may also be rotated until its widest axis is horizontal. A map of two dimensions can't
keep all neighbours: see trust.py.

Source: Pearson 1901 for PCA; McInnes et al. 2018 for UMAP (Fig 11.6 of SLP3 was made by it);
Schönemann 1966 for the rotation.
Departs: UMAP starts from the PCA map and not from a spectral layout, which keeps the maps of
neighbouring layers alike.

Read before this: word_senses.py, umap_fit.py.
"""

import torch
from torch.nn import functional as F

from mlm_core.embeddings.umap_fit import N_NEIGHBOURS, fit_umap_learn
from mlm_core.embeddings.word_senses import cosines
from mlm_core.shapes import Float, Tensor

FEWEST_FOR_UMAP = 5  # with fewer points its graph of neighbours is complete
UMAP_SPREAD = 10.0  # UMAP expects starting coordinates between -10 and 10
FLATTEST, TALLEST = (
    0.25,
    0.5,
)  # height / width of a frame: what the text width of a page has room for


def pca_layout(vectors: Float[Tensor, "point hidden"]) -> Float[Tensor, "point 2"]:
    """Return the points, scaled to length 1, on their two principal directions.

    Length 1, so that distances on the map follow the cosine. Each axis points so that its longest
    entry is positive: the same vectors give the same map on every machine. Points that are all
    the same, or a single one, lie at 0. Raises ValueError for vectors with NaN.
    """
    n_unusable = int((~vectors.isfinite().all(dim=-1)).sum())
    if n_unusable:
        raise ValueError(
            f"{n_unusable} of {len(vectors)} vectors have NaN or infinite numbers, so there is no"
            " map of them: choose another model"
        )
    unit = F.normalize(vectors.double(), dim=-1)
    centred = unit - unit.mean(dim=0)
    if len(vectors) < 2 or centred.abs().max() < 1e-9:
        return torch.zeros(len(vectors), 2, dtype=vectors.dtype)
    layout = centred @ _principal_directions(centred).T
    return F.pad(layout, (0, 2 - layout.shape[1])).to(vectors.dtype)


def umap_layout(vectors: Float[Tensor, "point hidden"], seed: int) -> Float[Tensor, "point 2"]:
    """Return UMAP's map by cosine; equal seeds, equal maps on one machine.

    A point has at most all others as neighbours. Raises ValueError for too few points, or vectors
    with NaN.
    """
    start = starting_coordinates(vectors, seed).numpy()
    nearest = min(N_NEIGHBOURS, len(vectors) - 1)
    layout = fit_umap_learn(vectors.double().numpy(), start, nearest, seed)
    return torch.from_numpy(layout).to(vectors.dtype)


def starting_coordinates(
    vectors: Float[Tensor, "point hidden"], seed: int
) -> Float[Tensor, "point 2"]:
    """Return the PCA map, enlarged and with a little noise, from which UMAP starts.

    Raises ValueError for too few points, or vectors with NaN.
    """
    if len(vectors) < FEWEST_FOR_UMAP:
        raise ValueError(
            f"{len(vectors)} points: UMAP needs at least {FEWEST_FOR_UMAP}, show them by PCA"
        )
    start = pca_layout(vectors)
    start = start * (UMAP_SPREAD / start.abs().max().clamp(min=1e-12))
    # Noise separates equal points: they would keep the same coordinates and neighbours.
    generator = torch.Generator().manual_seed(seed)
    return start + 1e-3 * torch.randn(start.shape, generator=generator, dtype=start.dtype)


def project_point(
    points: Float[Tensor, "point hidden"],
    vectors: Float[Tensor, "example hidden"],
    layout: Float[Tensor, "example 2"],
    n_neighbours: int = 3,
) -> Float[Tensor, "point 2"]:
    """Return coordinates for new points on a map, from their nearest examples.

    The mean of the coordinates of the examples of largest cosine, each weighted by
    1 / (1 - cosine). A point far from all examples is still put among some of them.
    Raises ValueError if the map has no points.
    """
    if not len(vectors):
        raise ValueError("a map without points: make one of at least one sentence first")
    near, numbers = cosines(points, vectors).topk(min(n_neighbours, len(vectors)), dim=1)
    weights = 1 / (1 - near).clamp(min=1e-6)  # an example itself has distance 0
    coordinates = layout[numbers].to(points.dtype)
    return (weights[..., None] * coordinates).sum(dim=1) / weights.sum(dim=1, keepdim=True)


def align(
    layout: Float[Tensor, "point 2"], target: Float[Tensor, "first 2"]
) -> Float[Tensor, "point 2"]:
    """Return the layout shifted, rotated and mirrored onto the target, but not scaled.

    The rotation R that makes |layout R - target| least is U V^T, from the singular value
    decomposition of layout^T target (both centred). Distances within the layout stay. A target of
    fewer points is that of the layout's first ones; the others are moved with them.
    """
    first = layout[: len(target)]
    middle, goal = first.mean(dim=0), target.mean(dim=0)
    left, _, right = torch.linalg.svd((first - middle).T @ (target - goal))
    return (layout - middle) @ (left @ right) + goal


def align_all(layouts: Float[Tensor, "layer point 2"]) -> Float[Tensor, "layer point 2"]:
    """Return each layer's layout rotated onto the one above; the last is unchanged.

    From the top down, because the top layer's map is the one that is shown first.
    """
    aligned = [layouts[-1]]
    for layout in reversed(layouts[:-1]):
        aligned.append(align(layout, aligned[-1]))
    return torch.stack(aligned[::-1])


def in_one_frame(layouts: Float[Tensor, "layer point 2"]) -> Float[Tensor, "layer point 2"]:
    """Return UMAP's maps of all layers so that each one fills the same wide frame.

    One rotation for all puts their widest axis horizontally; aligned maps stay aligned. Each map
    is then centred in the frame and scaled to it, the same in both directions: ratios of distances
    within a map stay, and the last map keeps its distances. The scale of different UMAP maps can't
    be compared, so nothing is lost; don't use it for PCA, where it can.
    """
    centred = layouts - layouts.mean(dim=1, keepdim=True)
    spread = centred.square().sum(dim=(1, 2), keepdim=True).sqrt().clamp(min=1e-12)
    turned = centred @ _principal_directions((centred / spread).flatten(0, 1)).T
    high, low = turned.amax(dim=1, keepdim=True), turned.amin(dim=1, keepdim=True)
    sizes = (high - low).clamp(min=1e-12)
    # The mean of the layers' aspects, within what a page has room for.
    aspect = (sizes[..., 1] / sizes[..., 0]).log().mean().exp().clamp(FLATTEST, TALLEST)
    scale = 1 / torch.maximum(sizes[..., :1], sizes[..., 1:] / aspect)
    return (turned - (high + low) / 2) * (scale / scale[-1])


def _principal_directions(centred: Float[Tensor, "point hidden"]) -> Float[Tensor, "axis hidden"]:
    """Return the two directions of largest variance, the longest entry of each positive."""
    directions = torch.linalg.svd(centred, full_matrices=False)[2][:2]
    peaks = directions.gather(1, directions.abs().argmax(dim=1, keepdim=True))
    return directions * peaks.sign()
