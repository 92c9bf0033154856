"""The vectors of a word's uses, gathered in blocks with progress, and their maps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.embeddings.sense_map import Frame
from pages.shared.caches import cache_senses
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors
    from mlm_core.shapes import Tensor

FEWEST_FOR_UMAP = 5  # as maps.py has it, which would import torch


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A map of the uses at one layer."""

    places: "Tensor"  # [point, 2]
    frame: Frame  # PCA's layers share one; UMAP's distances can't be compared over layers
    kind: str  # "stored", "pca" or "umap"


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
    """Show the two ways to draw a map: UMAP first where its map is stored, else PCA."""
    names = ("umap", "pca") if has_stored else ("pca", "umap")
    options = {name: page.words.label(f"kind_{name}") for name in names}
    return inputs.choice(page.words.label("kind"), options, key=key)


def lay_out(
    page: Page, uses: "WordVectors", layer: "Layer", kind: str, layouts: "Tensor | None"
) -> Layout:
    """Return the map of one layer, stored, by PCA, or fitted now if UMAP can be had."""
    if kind == "umap" and layouts is not None:
        return _of_layer(layouts, layer, "stored")
    pca = cache_senses.pca_layouts(page.model_name, uses.sentences, uses.pooling, uses)
    flat = _of_layer(pca, layer, "pca")
    if kind == "pca" or not _can_fit(page, len(uses.sentences)):
        return flat
    # The sum of the last four has the cosines of their mean.
    asked = layer if isinstance(layer, int) else "mean_last_4"
    waits = "umap_waits" if cache_senses.umap_lock().locked() else "umap_fits"
    with st.spinner(page.words.label(waits), show_time=True):
        places = cache_senses.umap_map(
            page.model_name, uses.sentences, uses.pooling, asked, uses.at(asked), flat.places
        )
    return Layout(places=places, frame=_frame(places), kind="umap")


def _can_fit(page: Page, n: int) -> bool:
    """Return whether UMAP can be fitted; if not, say why the map is PCA's."""
    if n < FEWEST_FOR_UMAP:
        st.info(
            page.words.section("umap.too_few", n=n, fewest=FEWEST_FOR_UMAP),
            icon=":material/info:",
        )
        return False
    return True


def _of_layer(layouts: "Tensor", layer: "Layer", kind: str) -> Layout:
    places = layouts[layer] if isinstance(layer, int) else layouts[-1]
    framed = layouts.flatten(0, 1) if kind == "pca" else places
    return Layout(places=places, frame=_frame(framed), kind=kind)


def _frame(places: "Tensor") -> Frame:
    return Frame.around([(x, y) for x, y in places.tolist()])
