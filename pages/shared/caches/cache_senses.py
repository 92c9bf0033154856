"""What the lesson on word senses keeps for all: a word's uses, their maps, works of the helper.

Vectors are kept in blocks of sentences, maps by what they were made from. umap-learn and
scikit-learn run in the helper process.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings import senses_data
from mlm_core.embeddings.umap_fit import MIN_DIST, N_NEIGHBOURS
from pages.shared.caches.cache import HashFuncs, long_work_lock, model

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors
    from mlm_core.embeddings.growing_map import GrowingMap
    from mlm_core.embeddings.sense_inventory import LabelledUse
    from mlm_core.embeddings.word_senses import Method
    from mlm_core.shapes import Tensor
    from pages.shared.server.helper_process import Work


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


@st.cache_resource(max_entries=1, show_spinner=False)
def story_uses() -> "tuple[LabelledUse, ...]":
    """Return the stored words' sense-labelled occurrences in the stories."""
    from mlm_core.embeddings.sense_inventory import story_uses

    return story_uses()


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
    return blocks[0] if len(blocks) == 1 else _joined(blocks)


def _joined(blocks: "Sequence[WordVectors]") -> "WordVectors":
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


# The stored words are 18 blocks, 16 MB in all at every layer of the bundled model.
@st.cache_resource(max_entries=30, show_spinner=False, hash_funcs=BY_HASH)
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


@st.cache_resource(max_entries=30, show_spinner=False, hash_funcs=BY_HASH)
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


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=BY_HASH)
def readable(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...]
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return the numbers of the sentences that a model can read, and the errors of the others."""
    from mlm_core.embeddings.locating import split_readable

    return split_readable(model(model_name), sentences)


# A class's map grows by one sentence, which a process reads once for all who look at it.
@st.cache_resource(max_entries=600, show_spinner=False, hash_funcs=BY_HASH)
def _sent_use(
    model_name: str, sentence: senses_data.MarkedSentence, pooling: "Pooling"
) -> "WordVectors":
    """Return the marked word of one sentence that a learner sent, at every layer."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors

    return all_layers_word_vectors(model(model_name), (sentence,), pooling=pooling)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=BY_HASH)
def sent_uses(
    model_name: str, sentences: tuple[senses_data.MarkedSentence, ...], pooling: "Pooling"
) -> "WordVectors":
    """Return the uses on a class's map at every layer."""
    return _joined([_sent_use(model_name, sentence, pooling) for sentence in sentences])


@st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=BY_HASH)
def growing_map(
    model_name: str,
    sentences: tuple[senses_data.MarkedSentence, ...],
    senses: tuple[int, ...],
    n_senses: int,
    layer: "Layer",
    pooling: "Pooling",
) -> "GrowingMap":
    """Return a class's map of one layer; copies of a sentence do not judge each other."""
    import torch

    from mlm_core.embeddings.growing_map import growing_map
    from mlm_core.embeddings.word_senses import sentence_groups

    vectors = sent_uses(model_name, sentences, pooling).at(layer)
    return growing_map(vectors, torch.tensor(senses), n_senses, sentence_groups(sentences))


@st.cache_resource(max_entries=50, show_spinner=False)
def stored_layouts(model_name: str, name: str, pooling: "Pooling") -> "Tensor | None":
    """Return a model's stored maps of a word [setting, point, 2]; None where it has none.

    They are rotated and scaled to fill one frame.
    """
    from mlm_core.embeddings.maps import in_one_frame
    from mlm_core.stored.maps import map_file, map_names, read_maps

    if name not in map_names(model_name):
        return None
    # A word that is one piece in all its sentences has the same map either way.
    if not map_file(name, pooling, model_name).is_file():
        pooling = "mean"
    return in_one_frame(read_maps(name, pooling, model_name).layouts)


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


@dataclass(frozen=True, kw_only=True)
class UmapSettings:
    """What a learner may choose about a map by UMAP."""

    n_neighbours: int = N_NEIGHBOURS
    min_dist: float = MIN_DIST  # of neighbours on the map
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class AskedMap:
    """What a map by UMAP is made from: vectors, by what they are known, and settings.

    The mean and the sum of the last four layers have the same cosines: ask for the mean.
    """

    model_name: str
    sentences: tuple[senses_data.MarkedSentence, ...]
    pooling: "Pooling"
    layer: "Layer"
    settings: UmapSettings
    vectors: "Tensor" = field(compare=False)  # [point, hidden]; the four above determine them


# Streamlit would take the sentences and vectors to pieces at every look.
ASKED_BY_HASH: HashFuncs = {"pages.shared.caches.cache_senses.AskedMap": hash}


# A few kilobytes each: coordinates, and the vectors until they were sent.
@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=ASKED_BY_HASH)
def umap_work(asked: AskedMap) -> "Work":
    """Return the work of umap-learn for one map in the helper; equal inputs are fitted once.

    Raises ValueError for vectors with NaN.
    """
    from mlm_core.embeddings.maps import starting_coordinates
    from mlm_core.embeddings.umap_fit import fit_umap_learn
    from pages.shared.server.helper_process import Work

    settings = asked.settings
    start = starting_coordinates(asked.vectors, settings.seed).numpy()
    nearest = min(settings.n_neighbours, len(asked.sentences) - 1)
    vectors = asked.vectors.float().numpy()
    return Work(fit_umap_learn, vectors, start, nearest, settings.seed, settings.min_dist)


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


@st.cache_data(max_entries=60, show_spinner=False)
def language_purity(model_name: str, name: str, pooling: "Pooling") -> tuple[float, ...]:
    """Return at each layer how many of a word's uses are nearest to one of their language."""
    import torch

    from mlm_core.embeddings.clusters import neighbour_purity

    languages = torch.tensor(stored_word(name).sense_numbers)
    states = stored_uses(model_name, name, pooling).states
    return tuple(neighbour_purity(one, languages).mean().item() for one in states)
