"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.frequency import BandSample, sample_bands
from mlm_core.embeddings.isotropy import (
    CosineSample,
    WordSample,
    dimension_proportions,
    independent_pairs,
    pair_cosines,
    random_pairs,
    sample_words,
)
from mlm_core.embeddings.locating import split_readable
from mlm_core.embeddings.postprocessing import LayerStatistics, Postprocessing, learn_from_corpus
from mlm_core.embeddings.word_senses import leave_one_out, sentence_groups
from mlm_core.encoder.model_list import READERS
from mlm_core.shapes import Tensor
from pages.kit.caches import cache_senses, cache_vocabularies
from pages.kit.remember import model, read_on, reader, remembered
from pages.lessons.isotropy.pool import KeptPools, Pool, Progress

N_WORDS = 600  # drawn from a corpus; at every layer of the bundled model they are 8 MB
N_POOL_WORDS = 800  # that they are drawn from; at every layer of the bundled model 11 MB
# Of learners' own texts, whose vectors are kept in half precision: 5 MB each with the bundled
# model. What a class reads of its own must neither evict itself nor our sentences.
MOST_OWN_BYTES = 160_000_000
N_PAIRS = 5000  # in a histogram
POOL_WORDS_A_BAND = 50
POOL_SEED = 1  # what is in a pool; what is drawn out of it depends on the visitor's seed


@dataclass(frozen=True, kw_only=True)
class CorpusKey:
    """A model and the words that it reads, by which the results here are kept."""

    model_name: str
    seed: int
    text: str | None  # the learner's own, or None for our sentences
    language: str  # of our sentences


@remembered(8)  # words and bands of both languages, by two models: 14 MB each pair
def _our_pool(kind: str, model_name: str, language: str) -> tuple[Any, Pool]:
    return _make_pool(kind, model_name, None, language)


@remembered(2)
def _own_pools(kind: str) -> KeptPools:  # with an argument, so it is let go with what was typed
    return KeptPools(most_bytes=MOST_OWN_BYTES // 2)


def _pool(kind: str, corpus: CorpusKey) -> tuple[Any, Pool]:
    """Return what is drawn from a corpus, "words" or "bands", and the pool of its vectors."""
    name, text, language = corpus.model_name, corpus.text, corpus.language
    if text is None:
        return _our_pool(kind, name, language)
    key = (name, text, language)
    return _own_pools(kind).of(key, lambda: _make_pool(kind, name, text, language))


def _make_pool(kind: str, name: str, text: str | None, language: str) -> tuple[Any, Pool]:
    documents = cache_vocabularies.documents(text, language)
    if kind == "words":
        sentences = [sentence for document in documents for sentence in document]
        drawn = sample_words(sentences, N_POOL_WORDS, Random(POOL_SEED))
        sample = drawn.part(split_readable(model(name), drawn.words)[0])
    else:
        sample = sample_bands(documents, Random(POOL_SEED), words_a_band=POOL_WORDS_A_BAND)
    # By the model's name: a pool must not keep a model that is forgotten.
    return sample, Pool(
        things=sample.words,
        read=lambda block: all_layers_word_vectors(model(name), block).states,
        dtype=None if text is None else torch.float16,
    )


def _words_of(corpus: CorpusKey) -> tuple[WordSample, Pool]:
    return _pool("words", corpus)


@remembered(100)
def _drawn(corpus: CorpusKey) -> tuple[tuple[int, ...], WordSample]:
    sample, _ = _words_of(corpus)
    numbers = sample.draw(N_WORDS, Random(corpus.seed))
    return numbers, sample.part(numbers)


def corpus_words(corpus: CorpusKey) -> WordSample:
    """Return the words drawn from a corpus, without those that the model can't read."""
    return _drawn(corpus)[1]


def read_corpus(corpus: CorpusKey, on_progress: Progress) -> None:
    """Read the corpus's words, so that their states are there at once."""
    _words_of(corpus)[1].fill(_drawn(corpus)[0], on_progress)


def corpus_states(corpus: CorpusKey, layer: int) -> Tensor:
    """Return the corpus's words at a layer [word hidden]."""
    return _words_of(corpus)[1].take(layer, _drawn(corpus)[0])


@remembered(64)
def learned(corpus: CorpusKey, layer: int) -> LayerStatistics:
    """Return mean, deviation and shares of one layer's dimensions."""
    return learn_from_corpus(corpus_states(corpus, layer), corpus_words(corpus).groups)


# A tenth of a megabyte each.
@remembered(48)
def random_cosines(
    corpus: CorpusKey, layer: int, postprocessing: Postprocessing, n_dropped: int
) -> tuple[CosineSample, CosineSample]:
    """Return cosines of thousands of random pairs, and of pairs that have no word in common."""
    vectors = learned(corpus, layer).postprocess(
        corpus_states(corpus, layer), postprocessing, n_dropped=n_dropped
    )
    many, apart = _random_pairs(corpus)
    return pair_cosines(vectors, many), pair_cosines(vectors, apart)


# The same for all layers and treatments: saves 6 ms.
@remembered(48)
def _random_pairs(corpus: CorpusKey) -> tuple[Tensor, Tensor]:
    numbers, seed = corpus_words(corpus).sentence_numbers, corpus.seed
    return random_pairs(numbers, N_PAIRS, Random(seed)), independent_pairs(numbers, Random(seed))


@remembered(400)
def mean_cosine(
    corpus: CorpusKey, layer: int, postprocessing: Postprocessing, n_dropped: int
) -> float:
    """Return the mean cosine over all pairs of words of different sentences."""
    vectors = learned(corpus, layer).postprocess(
        corpus_states(corpus, layer), postprocessing, n_dropped=n_dropped
    )
    return dimension_proportions(vectors, corpus_words(corpus).groups).mean_cosine


@remembered(240)
def right_senses(
    corpus: CorpusKey, layer: int, name: str, postprocessing: Postprocessing, n_dropped: int
) -> Tensor:
    """Return for each use of a word at a layer whether its nearest neighbour has its sense."""
    word = cache_senses.stored_word(name)
    vectors = cache_senses.stored_uses(corpus.model_name, name).at(layer)
    senses, groups = torch.tensor(word.sense_numbers), sentence_groups(word.sentences)
    vectors = learned(corpus, layer).postprocess(vectors, postprocessing, n_dropped=n_dropped)
    chosen = leave_one_out(vectors, senses, len(word.senses), groups, method="examples")
    return chosen.senses == senses


def _bands_of(corpus: CorpusKey) -> tuple[BandSample, Pool]:
    return _pool("bands", corpus)


@remembered(100)
def _drawn_bands(corpus: CorpusKey) -> tuple[tuple[int, ...], BandSample]:
    sample, _ = _bands_of(corpus)
    numbers = sample.draw(Random(corpus.seed))
    return numbers, sample.part(numbers)


def band_words(corpus: CorpusKey) -> BandSample:
    """Return uses of rare, middling and frequent words of a corpus."""
    return _drawn_bands(corpus)[1]


def band_states(corpus: CorpusKey, layer: int, on_progress: Progress) -> Tensor:
    """Return the uses of the bands' words at a layer [use hidden]."""
    pool, numbers = _bands_of(corpus)[1], _drawn_bands(corpus)[0]
    pool.fill(numbers, on_progress)
    return pool.take(layer, numbers)


def read_our_sentences(language: str, on_progress: Progress) -> None:
    """Read all that any seed may draw from our sentences of a language, by its own model."""
    corpus = CorpusKey(model_name=READERS[language], seed=POOL_SEED, text=None, language=language)
    for pool in (_words_of(corpus)[1], _bands_of(corpus)[1]):
        pool.fill(range(len(pool.things)), on_progress)


def in_short() -> Mapping[str, object]:
    """Return the last layer's mean cosine of two random words, raw and z-scored."""
    model_name, language = reader("isotropy"), read_on("isotropy")
    corpus = CorpusKey(model_name=model_name, seed=1, text=None, language=language)
    layer = model(model_name).n_layers
    read_corpus(corpus, lambda n_done, of: None)
    return {
        "model": model_name,
        "layer": layer,
        "raw": learned(corpus, layer).proportions.mean_cosine,
        "z_scored": abs(mean_cosine(corpus, layer, "z-scored", 0)),
    }


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Read our sentences of a language."""
    read_our_sentences(language, lambda *_: let_pass())
