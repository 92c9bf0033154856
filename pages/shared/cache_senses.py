"""What the lesson on word senses keeps for all: a word's uses, their maps, the one UMAP lock.

Vectors are kept in blocks of sentences, maps by what they were made from. UMAP is fitted by one
learner at a time, and never twice for the same input.
"""

import logging
import threading
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.cache import model

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Join, Layer, WordVectors
    from mlm_core.embeddings.senses_data import MarkedSentence
    from mlm_core.embeddings.word_senses import Method
    from mlm_core.shapes import Tensor

logger = logging.getLogger("mlm_app")


# Fifty uses at every layer of the bundled model are 0.7 MB. Pasted sentences come in such blocks
# too, so that their progress can be shown, and a sentence more costs one block.
@st.cache_resource(max_entries=40, show_spinner=False)
def block_of_uses(
    model_name: str, sentences: tuple["MarkedSentence", ...], join: "Join"
) -> "WordVectors":
    """Return the marked words' vectors at every layer, for a block of sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    return all_layers_word_vectors(model(model_name), sentences, join=join)


# A learner's own sentences, one or two at a time: kept apart, so that they push out no block.
@st.cache_resource(max_entries=128, show_spinner=False)
def own_uses(
    model_name: str, sentences: tuple["MarkedSentence", ...], join: "Join" = "mean"
) -> "WordVectors":
    """Return the marked words of a few sentences of a learner's at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    return all_layers_word_vectors(model(model_name), sentences, join=join)


@st.cache_resource(max_entries=40, show_spinner=False)
def stored_layouts(name: str, join: "Join") -> "Tensor | None":
    """Return the bundled model's stored maps of a word [setting, point, 2], if they are current."""
    from mlm_core.embeddings.stored_maps import map_file, read_maps

    # A word that is one piece in all its sentences has the same map either way.
    if not map_file(name, join).is_file():
        join = "mean"
    try:
        return read_maps(name, join).layouts
    except ValueError as error:
        logger.warning("no stored map: %s", error)
        return None


@st.cache_resource(max_entries=24, show_spinner=False)
def pca_layouts(
    model_name: str, sentences: tuple["MarkedSentence", ...], join: "Join", _uses: "WordVectors"
) -> "Tensor":
    """Return the uses' PCA maps at every layer, then of the last four, each turned onto another."""
    import torch

    from mlm_core.embeddings.map_2d import align, align_all, pca_layout

    layers = align_all(torch.stack([pca_layout(vectors) for vectors in _uses.states]))
    return torch.cat([layers, align(pca_layout(_uses.at("mean_last_4")), layers[-1])[None]])


@st.cache_resource(show_spinner=False)
def umap_lock() -> threading.Lock:
    """Return the one lock of this server for UMAP: a fit keeps one processor busy for a second."""
    return threading.Lock()


@st.cache_resource(max_entries=64, show_spinner=False)
def umap_map(
    model_name: str,
    sentences: tuple["MarkedSentence", ...],
    join: "Join",
    layer: "Layer",
    _vectors: "Tensor",
    _onto: "Tensor",
) -> "Tensor":
    """Return the uses' UMAP map at one layer, turned onto their PCA map there.

    Fitted once for each input, however many ask: who comes second waits for the first. The mean
    and the sum of the last four layers have the same cosines, so the caller passes the mean.
    """
    from mlm_core.embeddings.map_2d import align, umap_layout
    from mlm_core.embeddings.stored_maps import SEED

    with umap_lock():
        layout = umap_layout(_vectors, SEED)
    return align(layout, _onto)


@st.cache_data(max_entries=200, show_spinner=False)
def sense_layer_scores(
    model_name: str, name: str, join: "Join", method: "Method"
) -> tuple[tuple[float, float], ...]:
    """Return accuracy and macro-F1 of a stored word's senses, left one out, at each layer."""
    import torch

    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.sense_scores import scores_by_layer, sentence_groups
    from mlm_core.embeddings.senses_data import stored_word

    word = stored_word(name)
    uses = all_layers_word_vectors(model(model_name), word.sentences, join=join)
    scores = scores_by_layer(
        uses.states,
        torch.tensor(word.sense_numbers),
        len(word.senses),
        sentence_groups(word.sentences),
        method=method,
    )
    return tuple((score.accuracy, score.macro_f1_score) for score in scores)
