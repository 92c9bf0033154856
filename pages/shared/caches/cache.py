"""Every cache of the app, keyed by names and text, each with a bound.

What is cached here is shared by all visitors: nobody may change it after it was made. Torch
is imported inside the functions, so that a page paints its words before it pays for torch.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.text import corpora
from mlm_core.text.tokens import (
    Algorithm,
    TokenizedText,
    load_tokenizer,
    pad,
    role_token,
    tokenize,
    train_tokenizer,
)
from pages.shared.caches import own_models
from pages.shared.server import process_memory

logger = logging.getLogger("mlm_app")


if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.masking.counts import Counts
    from mlm_core.masking.random_words import RandomWords
    from mlm_core.masking.rule import CorruptionRule
    from mlm_core.prediction.fillers import FillStep, Order, PositionScore
    from mlm_core.prediction.masked_words import Predictions
    from mlm_core.prediction.next_sentence import NextSentenceSteps
    from mlm_core.shapes import Tensor
    from mlm_core.text.cutting import LearntMerge
    from mlm_core.text.language_sampling import Counted, LanguageUse


def model(name: str) -> "MaskedLanguageModel":
    """Return a model: the learner's own, or one that is loaded once for all visitors.

    Raises ModelUnavailableError.
    """
    own = own_models.get(name)
    if own is not None:
        return own
    if name == BUNDLED:
        return _bundled_model()
    with _other_model_lock:
        return _other_model(name)


@st.cache_resource(show_spinner=False)
def _bundled_model() -> "MaskedLanguageModel":
    return _load(BUNDLED)


# One at a time beside the bundled one: bert-base alone is 440 MB in float32. Without the lock
# several could look for memory and load at the same moment, each for itself.
_other_model_lock = threading.Lock()


@st.cache_resource(max_entries=1, show_spinner=False)
def _other_model(name: str) -> "MaskedLanguageModel":
    return _load(name)


def _load(name: str) -> "MaskedLanguageModel":
    from mlm_core.classroom.model_choice import load_allowed

    loaded = load_allowed(name)
    process_memory.settle()
    return loaded


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Load the bundled model in the background, once a server, while the first page is read."""

    def load() -> None:
        try:
            model(BUNDLED)
        except ValueError:
            logger.exception("the bundled model can't be loaded")  # each page will say so too

    # No daemon, whichever thread asks: a process that ends while torch loads in one is aborted.
    thread = threading.Thread(target=load, daemon=False, name="warm-up")
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def long_work_lock() -> threading.Lock:
    """Return the lock of whoever reads many sentences or trains a tokenizer: one at a time.

    Either takes a processor for some tenths of a second, and memory; page threads have the rest.
    """
    return threading.Lock()


@st.cache_resource(show_spinner=False)
def measuring_lock() -> threading.Lock:
    """Return the one lock of this server for whoever times something: one at a time."""
    return threading.Lock()


@st.cache_resource(show_spinner=False)
def bundled_tokenizer() -> Tokenizer:
    """Return the bundled model's tokenizer without its model, which torch would load."""
    return load_tokenizer(BUNDLED_FOLDER)


def model_tokenizer(name: str) -> Tokenizer:
    """Return a model's own tokenizer, without torch for the bundled one."""
    return bundled_tokenizer() if name == BUNDLED else model(name).tokenizer


# Some 300 kB each; counting reads the whole corpus.
@st.cache_resource(max_entries=8, show_spinner=False)
def random_word_sampler(model_name: str, uniform: bool) -> "RandomWords":
    """Return where a model's random words come from: by frequency in our sentences, or uniform."""
    from mlm_core.masking.random_words import random_words, unigram_counts

    tokenizer = model_tokenizer(model_name)
    counts = None if uniform else unigram_counts(tokenizer, corpora.sentences())
    return random_words(tokenizer, counts)


# Few: with every step of twelve layers, a text that fills the window takes 22 MB.
@st.cache_resource(max_entries=6, show_spinner=False)
def encoding(
    model_name: str,
    text: str,
    causal: bool = False,
    drawn_mask: str | None = None,
    n_padding: int = 0,
    max_tokens: int | None = None,
) -> tuple[TokenizedText, "Encoding"]:
    """Return a text's tokens and everything the model computed on the way to its states.

    `drawn_mask` is a mask as drawn_masks.py writes it; `n_padding` tokens of padding follow
    the text, and nobody looks at them unless a drawn mask says so. The text is cut to the
    model's window, or to `max_tokens` if that is less.
    """
    import torch

    from mlm_core.classroom.drawn_masks import mask_from_text
    from mlm_core.encoder.attention import padding_mask

    chosen = model(model_name)
    room = min(max_tokens or chosen.max_tokens, chosen.max_tokens - n_padding)
    tokenized = tokenize(chosen.tokenizer, text, max_tokens=room)
    attention_mask = None
    if n_padding:
        tokenized = pad(tokenized, chosen.tokenizer, n_padding)
        n_real = len(tokenized.tokens) - n_padding
        attention_mask = padding_mask(torch.arange(len(tokenized.tokens)) < n_real)
    if drawn_mask is not None:
        attention_mask = mask_from_text(drawn_mask, len(tokenized.tokens))
    return tokenized, chosen.encode(
        tokenized, causal=causal, attention_mask=attention_mask, record=True
    )


@st.cache_data(max_entries=128, show_spinner=False)
def fillers(
    model_name: str,
    text: str,
    blank: int,
    n: int,
    causal: bool = False,
    drawn_mask: str | None = None,
) -> tuple[tuple[str, float], ...]:
    """Return the model's likeliest tokens at position `blank` of a text, with probabilities."""
    from mlm_core.classroom.drawn_masks import mask_from_text
    from mlm_core.prediction.fillers import top_fillers

    chosen = model(model_name)
    tokenized = tokenize(chosen.tokenizer, text, max_tokens=chosen.max_tokens)
    attention_mask = (
        None if drawn_mask is None else mask_from_text(drawn_mask, len(tokenized.tokens))
    )
    logits = chosen.vocabulary_logits(tokenized, causal=causal, attention_mask=attention_mask)
    return tuple(
        # Some models have more rows than their tokenizer has tokens.
        (chosen.tokenizer.id_to_token(filler.id) or f"row {filler.id}", filler.probability)
        for filler in top_fillers(logits[blank], n)
    )


# Two thousand draws take a third of a second; their counts are some kilobytes.
@st.cache_resource(max_entries=128, show_spinner=False)
def corruption_counts(
    model_name: str, text: str, seed: int, rule: "CorruptionRule", n_draws: int, _tokens: tuple
) -> "Counts":
    """Return how often what was chosen in so many draws; `_tokens` are the model's of the text."""
    from random import Random

    from mlm_core.masking.counts import count_corruptions

    *_, counts = count_corruptions(_tokens, rule, Random(seed), n_draws, n_draws)
    return counts


# Each holds logits over the whole vocabulary at every chosen place: a few megabytes.
@st.cache_resource(max_entries=8, show_spinner=False)
def predictions(
    model_name: str,
    text: str,
    replaced: tuple[tuple[int, int], ...],
    chosen: tuple[int, ...],
) -> tuple[TokenizedText, "Predictions", list[float]]:
    """Return a text as the encoder sees it, its predictions, and the loss at every position.

    `replaced` are (position, id) of the tokens that others stand in for.
    """
    from mlm_core.prediction.masked_words import labels_of, losses_everywhere, predict, put_tokens

    asked = model(model_name)
    original = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    mask_id = asked.tokenizer.token_to_id(role_token(asked.tokenizer, "[MASK]"))
    seen = put_tokens(original, dict(replaced), asked.tokenizer)
    masked = {position: mask_id for position, id_ in replaced if id_ == mask_id}
    seen = put_tokens(seen, masked, asked.tokenizer, special=True)
    predicted = predict(asked, seen, labels_of(original.ids, chosen))
    return seen, predicted, losses_everywhere(asked, seen, original.ids).tolist()


@st.cache_data(max_entries=128, show_spinner=False)
def word_at_blank(model_name: str, text: str, blank: int, id_: int) -> tuple[float, int]:
    """Return a token's probability and rank at a position of a text."""
    from mlm_core.prediction.fillers import rank_of

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    logits = asked.vocabulary_logits(tokenized)[blank]
    return logits.softmax(dim=-1)[id_].item(), rank_of(logits, id_)


@st.cache_resource(max_entries=256, show_spinner=False)
def filled(model_name: str, text: str, order: "Order | None") -> tuple["FillStep", ...]:
    """Return the steps that fill a text's blanks, in an order, or all at once if None."""
    from mlm_core.prediction import fillers

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    if order is None:
        return fillers.fill_at_once(asked, tokenized)
    return tuple(fillers.fill_in_turn(asked, tokenized, order))


@st.cache_data(max_entries=512, show_spinner=False)
def place_scores(
    model_name: str,
    text: str,
    positions: tuple[int, ...],
    causal: bool = False,
    hide_rest_of_word: bool = False,
) -> tuple["PositionScore", ...]:
    """Return log P of a text's tokens at some positions, each hidden in turn."""
    from mlm_core.prediction import fillers

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return tuple(
        fillers.score_positions(
            asked, tokenized, positions, causal=causal, hide_rest_of_word=hide_rest_of_word
        )
    )


# Ready for use one takes up to 2 MB, and read from its words it is there in a few milliseconds: 24,
# which the curve over all sizes asks for one after the other, took 19 MB, and their words take 1.
@st.cache_resource(max_entries=6, show_spinner=False)
def trained_tokenizer(algorithm: Algorithm, vocabulary_size: int, text: str | None) -> Tokenizer:
    """Return a tokenizer trained on the learner's text, or on our own sentences if None."""
    return Tokenizer.from_str(learn_vocabulary(algorithm, vocabulary_size, text))


# 50 kB each, the largest 300. Room for a class's own texts beside our 24, which would take nine
# seconds to train again.
@st.cache_resource(max_entries=120, show_spinner=False)
def learn_vocabulary(algorithm: Algorithm, vocabulary_size: int, text: str | None) -> str:
    """Return such a tokenizer as its file has it."""
    lines = corpora.sentences() if text is None else text.splitlines()
    with long_work_lock():
        learnt = train_tokenizer(algorithm, lines, vocabulary_size).to_str()
        process_memory.give_memory_back()
    return learnt


@st.cache_data(max_entries=8, show_spinner=False)
def first_merges(n_merges: int, text: str | None) -> tuple["LearntMerge", ...]:
    """Return the first merges that BPE learns, from the learner's text or from our sentences."""
    from mlm_core.text import cutting

    lines = corpora.sentences() if text is None else tuple(text.splitlines())
    words = cutting.count_words(trained_tokenizer("BPE", 8000, text), lines)
    return cutting.first_merges(words, n_merges)


@st.cache_data(show_spinner=False)
def n_corpus_words() -> int:
    """Return how many words our own sentences have, words being what stands between spaces."""
    return sum(len(sentence.split()) for sentence in corpora.sentences())


# A pair's vectors and tokens are some 20 kB; a class works on a few hundred pairs at a time.
@st.cache_resource(max_entries=400, show_spinner=False)
def next_sentence(
    model_name: str, first: str, second: str, one_segment: bool = False
) -> tuple[TokenizedText, "NextSentenceSteps"]:
    """Return a pair's tokens and the model's verdict on it, step by step.

    `one_segment` numbers all tokens 0, as if A and B were one text. What does not fit into
    the window is left out from the end of the longer text.
    Raises ValueError if the model has no next-sentence head.
    """
    import torch

    from mlm_core.prediction.next_sentence import next_sentence_steps

    chosen = model(model_name)
    if chosen.bert is None:
        raise ValueError(
            f"{model_name} has no next-sentence head: choose the bundled model in the sidebar"
        )
    text = tokenize(chosen.tokenizer, first, second, max_tokens=chosen.max_tokens)
    segment_ids = [0] * len(text.tokens) if one_segment else text.segment_ids
    with torch.inference_mode():
        encoding = chosen.bert.encode(torch.tensor([text.ids]), torch.tensor([segment_ids]))
    return text, next_sentence_steps(chosen.bert, encoding.last[0])


@st.cache_resource(max_entries=128, show_spinner=False)
def sentence_vectors(model_name: str, sentence: str) -> dict[str, "Tensor"]:
    """Return two vectors for a sentence from the last layer: [CLS]'s, and its tokens' mean."""
    from mlm_core.prediction.next_sentence import sentence_vectors

    chosen = model(model_name)
    text = tokenize(chosen.tokenizer, sentence, max_tokens=chosen.max_tokens)
    return sentence_vectors(chosen.encode(text).last[0])


def documents(text: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the learner's documents, or ours for None, each as its sentences."""
    from mlm_core.text.sentences import split_documents

    return corpora.documents() if text is None else split_documents(text)


@st.cache_data(max_entries=32, show_spinner=False)
def sentence_lengths(model_name: str, text: str | None) -> tuple[tuple[int, ...], ...]:
    """Return the tokens of each sentence of each document, the learner's or (None) our own."""
    tokenizer = model_tokenizer(model_name)
    return tuple(
        tuple(
            len(sentence.ids)
            for sentence in tokenizer.encode_batch(list(document), add_special_tokens=False)
        )
        for document in documents(text)
    )


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
    drawn = sampling.draw_sentences(languages, shares, sampling.N_DRAWN, Random(seed))
    lines = [sentence for sentences in drawn for sentence in sentences]
    with long_work_lock():
        tokenizer = train_tokenizer(algorithm, lines, size)
    return tokenizer, sampling.measure_use(tokenizer, languages, drawn)


@st.cache_resource(max_entries=128, show_spinner=False)
def mixed_uses(
    algorithm: Algorithm, size: int, alpha: float, counted: "Counted", seed: int
) -> tuple["LanguageUse", ...]:
    """Return who has what of such a vocabulary."""
    return mixed_vocabulary(algorithm, size, alpha, counted, seed)[1]


# What exercises work out for all learners alike: each a megabyte at most.
@st.cache_resource(max_entries=48, show_spinner=False)
def remembered(name: str, _make: Callable[[], Any]) -> Any:
    """Return what was made earlier under a name, which says all that it depends on."""
    return _make()
