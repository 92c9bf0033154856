"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch

from mlm_core.embeddings import growing_map as growing
from mlm_core.embeddings import sense_inventory
from mlm_core.embeddings.contextual import Layer, Pooling, WordVectors, all_layers_word_vectors
from mlm_core.embeddings.growing_map import GrowingMap
from mlm_core.embeddings.locating import split_readable
from mlm_core.embeddings.maps import (
    align,
    align_all,
    in_one_frame,
    pca_layout,
    starting_coordinates,
)
from mlm_core.embeddings.sense_inventory import LabelledUse
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.umap_fit import MIN_DIST, N_NEIGHBOURS, fit_umap_learn
from mlm_core.embeddings.word_senses import METHODS, sentence_groups
from mlm_core.encoder.model_list import BUNDLED, READERS
from mlm_core.shapes import Tensor
from mlm_core.stored.maps import map_file, map_names, read_maps
from pages.kit.caches import cache_senses
from pages.kit.remember import Work, model, read_on, remembered
from pages.lessons.word_senses.lesson import START


@remembered(1)
def story_uses() -> tuple[LabelledUse, ...]:
    """Return the stored words' sense-labelled occurrences in the stories."""
    return sense_inventory.story_uses()


@remembered(8, by_hash=(MarkedSentence,))
def readable(
    model_name: str, sentences: tuple[MarkedSentence, ...]
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return the numbers of the sentences that a model can read, and the errors of the others."""
    return split_readable(model(model_name), sentences)


# A class's map grows by one sentence, which a process reads once for all who look at it.
@remembered(600, by_hash=(MarkedSentence,))
def _sent_use(model_name: str, sentence: MarkedSentence, pooling: Pooling) -> WordVectors:
    """Return the marked word of one sentence that a learner sent, at every layer."""
    return all_layers_word_vectors(model(model_name), (sentence,), pooling=pooling)


@remembered(4, by_hash=(MarkedSentence,))
def sent_uses(
    model_name: str, sentences: tuple[MarkedSentence, ...], pooling: Pooling
) -> WordVectors:
    """Return the uses on a class's map at every layer."""
    return cache_senses.joined([_sent_use(model_name, sentence, pooling) for sentence in sentences])


@remembered(60, by_hash=(MarkedSentence,))
def growing_map(
    model_name: str,
    sentences: tuple[MarkedSentence, ...],
    senses: tuple[int, ...],
    n_senses: int,
    layer: Layer,
    pooling: Pooling,
) -> GrowingMap:
    """Return a class's map of one layer; copies of a sentence do not judge each other."""
    vectors = sent_uses(model_name, sentences, pooling).at(layer)
    return growing.growing_map(vectors, torch.tensor(senses), n_senses, sentence_groups(sentences))


@remembered(50)
def stored_layouts(model_name: str, name: str, pooling: Pooling) -> Tensor | None:
    """Return a model's stored maps of a word [setting, point, 2]; None where it has none.

    They are rotated and scaled to fill one frame.
    """
    if name not in map_names(model_name):
        return None
    # A word that is one piece in all its sentences has the same map either way.
    if not map_file(name, pooling, model_name).is_file():
        pooling = "mean"
    return in_one_frame(read_maps(name, pooling, model_name).layouts)


@remembered(48, by_hash=(MarkedSentence,))
def pca_layouts(
    model_name: str,
    sentences: tuple[MarkedSentence, ...],
    pooling: Pooling,
    _uses: WordVectors,
) -> Tensor:
    """Return the uses' PCA maps at every layer, then of the last four, each turned onto another."""
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
    sentences: tuple[MarkedSentence, ...]
    pooling: Pooling
    layer: Layer
    settings: UmapSettings
    vectors: Tensor = field(compare=False)  # [point, hidden]; the four above determine them


# A few kilobytes each: coordinates, and the vectors until they were sent.
@remembered(64, by_hash=(AskedMap,))
def umap_work(asked: AskedMap) -> Work:
    """Return the work of umap-learn for one map in the helper; equal inputs are fitted once.

    Raises ValueError for vectors with NaN.
    """
    settings = asked.settings
    start = starting_coordinates(asked.vectors, settings.seed).numpy()
    nearest = min(settings.n_neighbours, len(asked.sentences) - 1)
    vectors = asked.vectors.float().numpy()
    return Work(fit_umap_learn, vectors, start, nearest, settings.seed, settings.min_dist)


def in_short() -> Mapping[str, object]:
    """Return the accuracy before the first and after the last layer for the lesson's word."""
    language = read_on("word_senses")
    name, model = START[language], READERS[language]
    scores = cache_senses.sense_layer_scores(model, name, "mean", "centroids")
    return {
        "word": cache_senses.stored_word(name).word,
        "model": model,
        "layer": len(scores) - 1,
        "first": scores[0][0],
        "last": scores[-1][0],
    }


def get_ready(let_pass: Callable[[], None]) -> None:
    """Read the stories with the bundled model."""
    stories = [use.sentence for use in story_uses()]
    cache_senses.uses(BUNDLED, stories, "mean", lambda _: let_pass())


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Score a language's words of several senses."""
    for name in cache_senses.stored_names(language):
        for method in METHODS:
            cache_senses.sense_layer_scores(READERS[language], name, "mean", method)
        let_pass()
