"""The vectors of a word's uses, gathered in blocks with progress, and their maps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.umap_fit import CURVES
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.embeddings.sense_map import Frame
from mlm_core.number_format import formatted
from pages.shared.caches import cache_senses
from pages.shared.caches.cache_senses import AskedMap, UmapSettings
from pages.shared.frame import helper_work
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs
from pages.shared.server import helper_process

if TYPE_CHECKING:
    import numpy as np

    from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors
    from mlm_core.shapes import Tensor

FEWEST_FOR_UMAP = 5  # as maps.py has it, which would import torch
N_NEIGHBOURS = (2, 3, 5, 10, 15, 30, 50, 100)
LARGEST_SEED = 9999


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A map of the uses at one layer."""

    places: "Tensor"  # [point, 2]
    frame: Frame  # PCA's layers share one; UMAP's distances can't be compared over layers
    kind: str  # "stored", "pca", "umap_learn" or "umap_small"


def gather(
    page: Page, sentences: Sequence[MarkedSentence], pooling: "Pooling" = "mean"
) -> "WordVectors":
    """Return the words' vectors at every layer; what takes long shows how far it is."""
    bar, n = st.empty(), len(sentences)

    def tell(n_done: int) -> None:
        if n > 2 * cache_senses.BLOCK:
            bar.progress(n_done / n, page.words.label("reading", n=n_done, of=n))

    found = cache_senses.uses(page.model_name, sentences, pooling, tell)
    bar.empty()
    return found


def stored(page: Page, name: str | None, pooling: "Pooling") -> "Tensor | None":
    """Return a word's stored maps, which only the bundled model has."""
    if name is None or page.model_name != BUNDLED:
        return None
    return cache_senses.stored_layouts(name, pooling)


def choose_kind(page: Page, *, key: str, has_stored: bool) -> str:
    """Show the ways to draw a map: UMAP first where its map is stored, else PCA."""
    names = ("umap", "pca", "live") if has_stored else ("pca", "umap")
    options = {name: page.words.label(f"kind_{name}") for name in names}
    return inputs.choice(page.words.label("kind"), options, key=key)


def choose_umap(page: Page, n: int, *, key: str) -> UmapSettings:
    """Show what can be chosen about a map of `n` points by UMAP."""
    words, usual = page.words, UmapSettings()
    nearest = [k for k in N_NEIGHBOURS if k < n]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_neighbours = inputs.step(
            words.label("umap_neighbours"),
            {str(k): str(k) for k in nearest},
            key=f"{key}_neighbours",
            default=str(min(usual.n_neighbours, nearest[-1])),
        )
        min_dist = inputs.step(
            words.label("umap_min_dist"),
            {str(one): formatted(one, ".2f") for one in CURVES},
            key=f"{key}_min_dist",
            default=str(usual.min_dist),
        )
        with st.container(width=120):
            seed = inputs.number(
                words.label("umap_seed"), 0, LARGEST_SEED, usual.seed, key=f"{key}_seed"
            )
    return UmapSettings(n_neighbours=int(n_neighbours), min_dist=float(min_dist), seed=seed)


def lay_out(
    page: Page,
    uses: "WordVectors",
    layer: "Layer",
    kind: str,
    layouts: "Tensor | None",
    *,
    key: str | None = None,
) -> Layout:
    """Return the map of one layer, stored, by PCA, or fitted now if UMAP can be had.

    With a key, UMAP's settings are shown. While umap-learn is at work the map is PCA's.
    """
    if kind == "umap" and layouts is not None:
        return _of_layer(layouts, layer, "stored")
    pca = cache_senses.pca_layouts(page.model_name, uses.sentences, uses.pooling, uses)
    flat = _of_layer(pca, layer, "pca")
    # The sum of the last four has the cosines of their mean.
    asked = layer if isinstance(layer, int) else "mean_last_4"
    if kind == "pca" or not _can_fit(page, uses.at(asked)):
        return flat
    n = len(uses.sentences)
    settings = UmapSettings() if key is None else choose_umap(page, n, key=key)
    wanted = AskedMap(
        model_name=page.model_name,
        sentences=uses.sentences,
        pooling=uses.pooling,
        layer=asked,
        settings=settings,
        vectors=uses.at(asked),
    )
    found = helper_process.obstacle("umap", "sklearn")
    if found is None:
        try:
            fitted = helper_work.waited_for(cache_senses.umap_work(wanted))
            return flat if fitted is None else _turned(fitted, flat, "umap_learn")
        except helper_process.HelperDiedError:
            found = helper_process.Obstacle("died")
    if found.kind == "busy":  # another hundred maps in the server would be no help
        st.info(helper_work.said(found), icon=":material/hourglass:")
        return flat
    st.info(f"{helper_work.said(found)} {page.words.section('umap.small')}", icon=":material/info:")
    waits = "umap_waits" if cache_senses.umap_lock().locked() else "umap_fits"
    with st.spinner(page.words.label(waits), show_time=True):
        return _turned(cache_senses.small_umap(wanted), flat, "umap_small")


def _turned(fitted: "Tensor | np.ndarray", flat: Layout, kind: str) -> Layout:
    """Return a fitted map, turned onto the PCA map."""
    import torch

    from mlm_core.embeddings.maps import align

    places = align(torch.as_tensor(fitted, dtype=flat.places.dtype), flat.places)
    return Layout(places=places, frame=_frame(places), kind=kind)


def _can_fit(page: Page, vectors: "Tensor") -> bool:
    """Return whether UMAP can be fitted; if not, say why the map is PCA's."""
    if len(vectors) < FEWEST_FOR_UMAP:
        said = page.words.section("umap.too_few", n=len(vectors), fewest=FEWEST_FOR_UMAP)
    elif bool((vectors == vectors[0]).all()):
        said = page.words.section("umap.all_equal", n=len(vectors))
    else:
        return True
    st.info(said, icon=":material/info:")
    return False


def _of_layer(layouts: "Tensor", layer: "Layer", kind: str) -> Layout:
    places = layouts[layer] if isinstance(layer, int) else layouts[-1]
    framed = layouts.flatten(0, 1) if kind == "pca" else places
    return Layout(places=places, frame=_frame(framed), kind=kind)


def _frame(places: "Tensor") -> Frame:
    return Frame.around([(x, y) for x, y in places.tolist()])
