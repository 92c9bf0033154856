"""The vectors of a word's uses, gathered in blocks with progress, and their maps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors
from mlm_core.embeddings.maps import FEWEST_FOR_UMAP, align, in_one_frame
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import Frame
from mlm_core.number_format import formatted
from mlm_core.shapes import Float, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.word_senses import computed
from pages.lessons.word_senses.computed import AskedMap, UmapSettings

N_NEIGHBOURS = (2, 3, 5, 10, 15, 30, 50, 100)
MIN_DISTS = (0.0, 0.1, 0.25, 0.5, 0.8)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A map of the uses at one layer."""

    places: Float[Tensor, "point 2"]
    frame: Frame  # all layers share one
    kind: str  # "stored", "pca", "umap_learn", or "pca_instead" where umap-learn can't run
    # All of its kind: of each layer, then of the mean of the last four; none if fitted now.
    layouts: Float[Tensor, "setting point 2"] | None = None


def gather(p: Part, sentences: Sequence[MarkedSentence], pooling: Pooling) -> WordVectors:
    """Return the words' vectors at every layer; what takes long shows how far it is."""
    n = len(sentences)
    with p.reported("reading") as told:
        return cache_senses.uses(
            p.model_name,
            sentences,
            pooling,
            (lambda n_done: told(n_done, n)) if n > 2 * cache_senses.BLOCK else None,
        )


def stored(p: Part, name: str, pooling: Pooling) -> Float[Tensor, "setting point 2"] | None:
    """Return a word's stored maps, which only bundled models have."""
    return computed.stored_layouts(p.model_name, name, pooling)


def choose_kind(p: Part, name: str, *, has_stored: bool) -> str:
    """Show the ways to draw a map: UMAP first where its map is stored, else PCA."""
    names = ("umap", "pca", "live") if has_stored else ("pca", "umap")
    return p.choice(name, names, start=names[0])


def lay_out(
    p: Part,
    uses: WordVectors,
    layer: Layer,
    kind: str,
    layouts: Float[Tensor, "setting point 2"] | None,
    *,
    has_settings: bool = False,
) -> Layout:
    """Return the map of one layer, stored, by PCA, or fitted now if UMAP can be had.

    If it `has_settings`, those of UMAP are shown. While umap-learn is at work, and where it can't
    run, the map is PCA's, and its source line says so.
    """
    if kind == "umap" and layouts is not None:
        return _of_layer(layouts, layer, "stored")
    pca = computed.pca_layouts(p.model_name, uses.sentences, uses.pooling, uses)
    flat = _of_layer(pca, layer, "pca")
    # The sum of the last four has the cosines of their mean.
    asked = layer if isinstance(layer, int) else "mean_last_4"
    if kind == "pca" or not _can_fit(p, uses.at(asked)):
        return flat
    n = len(uses.sentences)
    wanted = AskedMap(
        model_name=p.model_name,
        sentences=uses.sentences,
        pooling=uses.pooling,
        layer=asked,
        settings=_choose_umap(p, n) if has_settings else UmapSettings(),
        vectors=uses.at(asked),
    )
    fitted = p.helped(lambda: computed.umap_work(wanted), "umap", "sklearn")
    return replace(flat, kind="pca_instead") if fitted is None else _turned(fitted, flat)


def _choose_umap(p: Part, n: int) -> UmapSettings:
    """Show what can be chosen about a map of `n` points by UMAP."""
    nearest = [k for k in N_NEIGHBOURS if k < n]
    usual = min(UmapSettings().n_neighbours, nearest[-1])
    with p.row():
        n_neighbours = p.choice("umap_neighbours", [str(k) for k in nearest], start=str(usual))
        distances = {str(one): formatted(one, ".2f") for one in MIN_DISTS}
        min_dist = p.choice("umap_min_dist", distances)
        with p.place(width=120):
            seed = p.number("umap_seed")
    return UmapSettings(n_neighbours=int(n_neighbours), min_dist=float(min_dist), seed=seed)


def _turned(fitted: Float[np.ndarray, "point 2"], flat: Layout) -> Layout:
    """Return umap-learn's map, turned onto the PCA map, then onto its widest axis."""
    turned = align(torch.as_tensor(fitted, dtype=flat.places.dtype), flat.places)
    places = in_one_frame(turned[None])[0]
    return Layout(places=places, frame=_frame(places), kind="umap_learn")


def _can_fit(p: Part, vectors: Float[Tensor, "point hidden"]) -> bool:
    """Return whether UMAP can be fitted; if not, say why the map is PCA's."""
    if len(vectors) < FEWEST_FOR_UMAP:
        p.note("umap.too_few", n=len(vectors), fewest=FEWEST_FOR_UMAP)
        return False
    if bool((vectors == vectors[0]).all()):
        p.note("umap.all_equal", n=len(vectors))
        return False
    return True


def _of_layer(layouts: Float[Tensor, "setting point 2"], layer: Layer, kind: str) -> Layout:
    places = layouts[layer] if isinstance(layer, int) else layouts[-1]
    return Layout(places=places, frame=_frame(layouts.flatten(0, 1)), kind=kind, layouts=layouts)


def _frame(places: Float[Tensor, "point 2"]) -> Frame:
    return Frame.around([(x, y) for x, y in places.tolist()])
