"""Vocabularies that were learnt from texts, and what they make of them."""

from typing import TYPE_CHECKING

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.prediction.packing import LAYOUTS, Layout, Packing, pack
from mlm_core.text import corpora
from mlm_core.text.tokens import (
    Algorithm,
    train_tokenizer,
)
from pages.shared.caches.cache import long_work_lock, model_tokenizer

if TYPE_CHECKING:
    from mlm_core.small_runs.two_languages import LanguagesRun
    from mlm_core.stored.two_languages import StoredVocabularies
    from mlm_core.text.cutting import LearntMerge
    from mlm_core.text.language_sampling import Counted, LanguageUse


# Up to 2 MB each. Room for a class's own texts beside our 24, which would take nine seconds to
# train again.
@st.cache_resource(max_entries=60, show_spinner=False)
def trained_tokenizer(algorithm: Algorithm, vocabulary_size: int, text: str | None) -> Tokenizer:
    """Return a tokenizer trained on the learner's text, or on our own sentences if None."""
    lines = corpora.sentences() if text is None else text.splitlines()
    with long_work_lock():
        return train_tokenizer(algorithm, lines, vocabulary_size)


@st.cache_data(max_entries=8, show_spinner=False)
def first_merges(n_merges: int, text: str | None) -> tuple["LearntMerge", ...]:
    """Return the first merges that BPE learns, from the learner's text or from our sentences."""
    from mlm_core.text import cutting

    lines = corpora.sentences() if text is None else tuple(text.splitlines())
    words = cutting.count_words(trained_tokenizer("BPE", 8000, text), lines)
    return cutting.first_merges(words, n_merges)


@st.cache_data(max_entries=2, show_spinner=False)
def n_corpus_words(language: str = "en") -> int:
    """Return how many words our own sentences have, words being what stands between spaces."""
    return sum(len(sentence.split()) for sentence in corpora.sentences(language))


def documents(text: str | None, language: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return the learner's documents, or for None ours of a language, each as its sentences."""
    from mlm_core.text.sentences import split_documents

    return corpora.documents(language) if text is None else split_documents(text)


@st.cache_data(max_entries=32, show_spinner=False)
def sentence_lengths(
    model_name: str, text: str | None, language: str = "en"
) -> tuple[tuple[int, ...], ...]:
    """Return the tokens of each sentence of each document, the learner's or (None) our own."""
    tokenizer = model_tokenizer(model_name)
    return tuple(
        tuple(
            len(sentence.ids)
            for sentence in tokenizer.encode_batch(list(document), add_special_tokens=False)
        )
        for document in documents(text, language)
    )


@st.cache_resource(max_entries=8, show_spinner=False)  # 10 to 30 ms, 1 MB at most
def packings(
    model_name: str, text: str | None, window_size: int, language: str = "en"
) -> dict[Layout, Packing]:
    """Return the learner's documents, or ours for None, in windows, by each layout."""
    lengths = sentence_lengths(model_name, text, language)
    return {layout: pack(lengths, window_size, layout) for layout in LAYOUTS}


# A tokenizer takes up to 2 MB and a tenth of a second; what it tells is kept for longer.
@st.cache_resource(max_entries=12, show_spinner=False)
def mixed_vocabulary(
    algorithm: Algorithm, size: int, alpha: float, counted: "Counted", seed: int
) -> tuple[Tokenizer, tuple["LanguageUse", ...]]:
    """Return a vocabulary learnt from six languages mixed by alpha, and who has what of it."""
    from random import Random

    from mlm_core.text import language_sampling as sampling

    languages = sampling.read_languages()
    shares = sampling.sampling_probabilities([getattr(one, counted) for one in languages], alpha)
    texts = [one.sentences for one in languages]
    drawn = sampling.draw_sentences(texts, shares, sampling.N_DRAWN, Random(seed))
    lines = [sentence for sentences in drawn for sentence in sentences]
    with long_work_lock():
        tokenizer = train_tokenizer(algorithm, lines, size)
    return tokenizer, sampling.measure_use(tokenizer, texts, drawn)


@st.cache_resource(max_entries=128, show_spinner=False)
def mixed_uses(
    algorithm: Algorithm, size: int, alpha: float, counted: "Counted", seed: int
) -> tuple["LanguageUse", ...]:
    """Return who has what of such a vocabulary."""
    return mixed_vocabulary(algorithm, size, alpha, counted, seed)[1]


@st.cache_resource(max_entries=1, show_spinner=False)
def two_languages_runs() -> tuple["LanguagesRun", ...]:
    """Return the stored encoders of a frequent and a rare language."""
    from mlm_core.stored.two_languages import read_runs

    return read_runs()


@st.cache_resource(max_entries=1, show_spinner=False)
def mixed_vocabularies() -> "StoredVocabularies":
    """Return the stored vocabularies from English and German Wikipedia."""
    from mlm_core.stored.two_languages import read_vocabularies

    return read_vocabularies()
