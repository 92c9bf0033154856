"""What the lesson on word senses keeps for all: a word's uses, their maps, the one UMAP lock.

Vectors are kept in blocks of sentences, maps by what they were made from. UMAP is fitted by one
learner at a time, and never twice for the same input.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings import senses_data
from pages.shared.caches.cache import long_work_lock, model

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors
    from mlm_core.embeddings.word_senses import Method
    from mlm_core.shapes import Tensor

logger = logging.getLogger("mlm_app")

BLOCK = 150  # sentences that are read at once: all of a stored word, so that it is kept once
# Streamlit would take each sentence to pieces at every look: 60 ms for a word's uses.
BY_HASH = {"mlm_core.embeddings.senses_data.MarkedSentence": hash}


@st.cache_resource(max_entries=4, show_spinner=False)
def stored_names(language: str = "") -> tuple[str, ...]:
    """Return the names of the words whose uses are stored, of one language or of all."""
    names = senses_data.stored_names()
    return tuple(name for name in names if language in ("", stored_word(name).language))


@st.cache_resource(max_entries=40, show_spinner=False)
def stored_word(name: str) -> senses_data.SenseWord:
    """Return a stored word and its uses. Raises ValueError if there is none of that name."""
    return senses_data.stored_word(name)


def stored_uses(model_name: str, name: str, pooling: "Pooling" = "mean") -> "WordVectors":
    """Return a stored word's uses at every layer."""
    return uses(model_name, stored_word(name).sentences, pooling)


def uses(
    model_name: str,
    sentences: Sequence[senses_data.MarkedSentence],
    pooling: "Pooling",
    on_progress: Callable[[int], None] | None = None,
) -> "WordVectors":
    """Return the marked words' vectors at every layer; tell before each block what is done."""
    import torch

    from mlm_core.embeddings.contextual import WordVectors

    blocks = []
    for start in range(0, len(sentences), BLOCK):
        if on_progress is not None:
            on_progress(start)
        blocks.append(_block_of_uses(model_name, tuple(sentences[start : start + BLOCK]), pooling))
    if len(blocks) == 1:
        return blocks[0]
    return WordVectors(
        sentences=tuple(sentences),
        located=tuple(place for block in blocks for place in block.located),
        pooling=pooling,
        states=torch.cat([block.states for block in blocks], dim=1),
        static=torch.cat([block.static for block in blocks]),
    )


# The stored words are 18 blocks, 15 MB in all at every layer of the bundled model.
@st.cache_resource(max_entries=40, show_spinner=False, hash_funcs=BY_HASH)
def _block_of_uses(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...], pooling: "Pooling"
) -> "WordVectors":
    """Return the marked words' vectors at every layer, for a block of sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    if pooling == "mean":
        with long_work_lock():
            return all_layers_word_vectors(model(model_name), sentences, pooling=pooling)
    # A word of one piece has the same vector either way: only the others are read again.
    mean = _block_of_uses(model_name, sentences, "mean")
    others = [i for i, place in enumerate(mean.located) if len(place.subwords) > 1]
    if not others:
        return replace(mean, pooling=pooling)
    with long_work_lock():
        read = all_layers_word_vectors(
            model(model_name), [sentences[i] for i in others], pooling=pooling
        )
    states, static = mean.states.clone(), mean.static.clone()
    states[:, others], static[others] = read.states, read.static
    return replace(mean, pooling=pooling, states=states, static=static)


# A learner's own sentences, one or two at a time: kept apart, so that they push out no block.
@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_HASH)
def own_uses(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...], pooling: "Pooling" = "mean"
) -> "WordVectors":
    """Return the marked words of a few sentences of a learner's at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    return all_layers_word_vectors(model(model_name), sentences, pooling=pooling)


@st.cache_resource(max_entries=40, show_spinner=False)
def stored_layouts(name: str, pooling: "Pooling") -> "Tensor | None":
    """Return the bundled model's stored maps of a word [setting, point, 2], if they are current."""
    from mlm_core.classroom.stored_maps import map_file, read_maps

    # A word that is one piece in all its sentences has the same map either way.
    if not map_file(name, pooling).is_file():
        pooling = "mean"
    try:
        return read_maps(name, pooling).layouts
    except ValueError as error:
        logger.warning("no stored map: %s", error)
        return None


@st.cache_resource(max_entries=24, show_spinner=False, hash_funcs=BY_HASH)
def pca_layouts(
    model_name: str,
    sentences: tuple[senses_data.MarkedSentence, ...],
    pooling: "Pooling",
    _uses: "WordVectors",
) -> "Tensor":
    """Return the uses' PCA maps at every layer, then of the last four, each turned onto another."""
    import torch

    from mlm_core.embeddings.maps import align, align_all, pca_layout

    layers = align_all(torch.stack([pca_layout(vectors) for vectors in _uses.states]))
    return torch.cat([layers, align(pca_layout(_uses.at("mean_last_4")), layers[-1])[None]])


@st.cache_resource(show_spinner=False)
def umap_lock() -> threading.Lock:
    """Return the one lock of this server for UMAP: a fit keeps one processor busy for a second."""
    return threading.Lock()


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_HASH)
def umap_map(
    model_name: str,
    sentences: tuple[senses_data.MarkedSentence, ...],
    pooling: "Pooling",
    layer: "Layer",
    _vectors: "Tensor",
    _onto: "Tensor",
) -> "Tensor":
    """Return the uses' UMAP map at one layer, turned onto their PCA map there.

    Fitted once for each input, however many ask: who comes second waits for the first. The mean
    and the sum of the last four layers have the same cosines, so the caller passes the mean.
    """
    from mlm_core.classroom.stored_maps import SEED
    from mlm_core.embeddings.maps import align, umap_layout

    with umap_lock():
        layout = umap_layout(_vectors, SEED)
    return align(layout, _onto)


@st.cache_data(max_entries=200, show_spinner=False)
def sense_layer_scores(
    model_name: str, name: str, pooling: "Pooling", method: "Method"
) -> tuple[tuple[float, float], ...]:
    """Return accuracy and macro-F1 of a stored word's senses, left one out, at each layer."""
    import torch

    from mlm_core.embeddings.word_senses import scores_by_layer, sentence_groups

    word = stored_word(name)
    scores = scores_by_layer(
        stored_uses(model_name, name, pooling).states,
        torch.tensor(word.sense_numbers),
        len(word.senses),
        sentence_groups(word.sentences),
        method=method,
    )
    return tuple((score.accuracy, score.macro_f1) for score in scores)
