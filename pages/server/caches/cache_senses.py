"""What the lesson on word senses keeps for all: a word's uses, their maps, works of the helper.

Vectors are kept in blocks of sentences, maps by what they were made from. umap-learn and
scikit-learn run in the helper process.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings import senses_data
from pages.server.caches.cache import HashFuncs, long_work_lock, model

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Pooling, WordVectors
    from mlm_core.embeddings.word_senses import LayerScore, Method


BLOCK = 150  # sentences that are read at once: all of a stored word, so that it is kept once
# Streamlit would take each sentence to pieces at every look: 60 ms for a word's uses.
BY_HASH: HashFuncs = {"mlm_core.embeddings.senses_data.MarkedSentence": hash}


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
    blocks = []
    for start in range(0, len(sentences), BLOCK):
        if on_progress is not None:
            on_progress(start)
        block = tuple(sentences[start : start + BLOCK])
        blocks.append(_block_of_uses(model_name, block))
        if pooling == "first":
            blocks[-1] = _with_first_subwords(model_name, blocks[-1])
    return blocks[0] if len(blocks) == 1 else joined(blocks)


def joined(blocks: "Sequence[WordVectors]") -> "WordVectors":
    """Return the uses of several blocks as those of one."""
    import torch

    from mlm_core.embeddings.contextual import WordVectors

    return WordVectors(
        sentences=tuple(sentence for block in blocks for sentence in block.sentences),
        located=tuple(place for block in blocks for place in block.located),
        pooling=blocks[0].pooling,
        states=torch.cat([block.states for block in blocks], dim=1),
        static=torch.cat([block.static for block in blocks]),
    )


# The stored words are 18 blocks, 16 MB in all at every layer of the bundled model; each learner may
# bring one more, mostly of few sentences.
@st.cache_resource(max_entries=48, show_spinner=False, hash_funcs=BY_HASH)
def _block_of_uses(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...]
) -> "WordVectors":
    """Return the means of the marked words' subwords at every layer; see `uses`."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    with long_work_lock():
        return all_layers_word_vectors(model(model_name), sentences)


def _with_first_subwords(model_name: str, mean: "WordVectors") -> "WordVectors":
    """Return a block's uses by first subwords: a word of one subword has the same vector."""
    others = [i for i, place in enumerate(mean.located) if len(place.subwords) > 1]
    if not others:
        return replace(mean, pooling="first")
    read = _first_subwords(model_name, tuple(mean.sentences[i] for i in others))
    states, static = mean.states.clone(), mean.static.clone()
    states[:, others], static[others] = read.states, read.static
    return replace(mean, pooling="first", states=states, static=static)


@st.cache_resource(max_entries=48, show_spinner=False, hash_funcs=BY_HASH)
def _first_subwords(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...]
) -> "WordVectors":
    """Return the first subwords of words of several at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    with long_work_lock():
        return all_layers_word_vectors(model(model_name), sentences, pooling="first")


# A learner's own sentences, one or two at a time: kept apart, so that they push out no block.
@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_HASH)
def own_uses(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...], pooling: "Pooling" = "mean"
) -> "WordVectors":
    """Return the marked words of a few sentences of a learner's at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    return all_layers_word_vectors(model(model_name), sentences, pooling=pooling)


@st.cache_data(max_entries=200, show_spinner=False)
def sense_layer_scores(
    model_name: str, name: str, pooling: "Pooling", method: "Method"
) -> "tuple[LayerScore, ...]":
    """Return how well leave-one-out finds a stored word's senses, at each layer."""
    import torch

    from mlm_core.embeddings.word_senses import scores_by_layer, sentence_groups

    word = stored_word(name)
    return scores_by_layer(
        stored_uses(model_name, name, pooling).states,
        torch.tensor(word.sense_numbers),
        len(word.senses),
        sentence_groups(word.sentences),
        method=method,
    )
