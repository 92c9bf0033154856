"""What the model predicts, in each lesson's way."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text import corpora
from mlm_core.text.tokens import (
    TokenizedText,
    role_id,
    tokenize,
)
from pages.shared.caches.cache import long_work_lock, model, model_tokenizer
from pages.shared.course.language import FIRST

if TYPE_CHECKING:
    from mlm_core.masking.random_words import RandomWords
    from mlm_core.prediction.fillers import FillStep, Order, PositionScore
    from mlm_core.prediction.masked_words import Predictions
    from mlm_core.prediction.next_sentence import NextSentenceSteps
    from mlm_core.prediction.one_step import GradientStep, Moved
    from mlm_core.prediction.split_words import PieceScore
    from mlm_core.prediction.unmasking import KeepOrder, UnmaskStep
    from mlm_core.prediction.whole_way import WholeWay


# Some 300 kB each; counting reads the whole corpus.
@st.cache_resource(max_entries=8, show_spinner=False)
def random_word_sampler(model_name: str, uniform: bool, language: str = FIRST) -> "RandomWords":
    """Return where a model's random words come from: by frequency in our texts, or uniform."""
    from mlm_core.masking.random_words import random_words, unigram_counts

    tokenizer = model_tokenizer(model_name)
    counts = None if uniform else unigram_counts(tokenizer, corpora.sentences(language))
    return random_words(tokenizer, counts)


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
    from mlm_core.encoder.drawn_masks import mask_from_text
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


# Some floats for each rate; all rates take half a second.
@st.cache_data(max_entries=128, show_spinner=False)
def probability_among_hidden(
    model_name: str, text: str, n_tokens: int, masked_rate: float, seed: int
) -> float:
    """Return the mean probability of a text's tokens where others are masked along with each."""
    from math import exp
    from random import Random
    from statistics import fmean

    from mlm_core.prediction.fillers import score_among_hidden

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=n_tokens)
    with long_work_lock():
        scores = score_among_hidden(asked, tokenized, masked_rate, Random(seed))
    return fmean(exp(score) for score in scores)


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
    from mlm_core.prediction.masked_words import (
        hide,
        labels_of,
        losses_everywhere,
        predict,
        put_tokens,
    )

    asked = model(model_name)
    original = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    mask_id = role_id(asked.tokenizer, "[MASK]")
    seen = put_tokens(original, dict(replaced), asked.tokenizer)
    seen = hide(seen, [place for place, id_ in replaced if id_ == mask_id], asked.tokenizer)
    predicted = predict(asked, seen, labels_of(original.ids, chosen))
    return seen, predicted, losses_everywhere(asked, seen, original.ids).tolist()


@st.cache_data(max_entries=256, show_spinner=False)
def with_token(
    model_name: str, text: str, n_tokens: int, position: int, id_: int, n: int
) -> tuple[float, list[float], list[tuple[str, float]]]:
    """Return what a model predicts where a token has another's place in a text.

    These are that token's probability, those of all original tokens, and the likeliest there.
    """
    import torch

    from mlm_core.prediction.fillers import top_fillers
    from mlm_core.prediction.masked_words import put_tokens

    asked = model(model_name)
    original = tokenize(asked.tokenizer, text, max_tokens=n_tokens)
    seen = put_tokens(original, {position: id_}, asked.tokenizer)
    logits = asked.vocabulary_logits(seen)
    probabilities = torch.softmax(logits, dim=-1)
    likeliest = [
        (asked.tokenizer.id_to_token(each.id) or f"row {each.id}", each.probability)
        for each in top_fillers(logits[position], n)
    ]
    originals = probabilities[range(len(original.tokens)), original.ids].tolist()
    return probabilities[position, id_].item(), originals, likeliest


# One position's vectors in every layer, and its logits: 200 kB with the bundled model.
@st.cache_resource(max_entries=64, show_spinner=False)
def whole_way(model_name: str, text: str, position: int) -> tuple[TokenizedText, "WholeWay"]:
    """Return a text with [MASK] at a position, and what becomes of the token there."""
    from mlm_core.prediction.masked_words import hide
    from mlm_core.prediction.whole_way import whole_way

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    seen = hide(tokenized, [position], asked.tokenizer)
    return seen, whole_way(asked, seen, position)


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


# The steps share the tokens that they leave: some 20 kB a text.
@st.cache_resource(max_entries=512, show_spinner=False)
def unmasked(
    model_name: str,
    text: str,
    n_steps: int,
    order: "KeepOrder",
    temperature: float,
    seed: int,
    again: tuple[int, ...] = (),
) -> tuple[tuple["UnmaskStep", ...], float]:
    """Return the steps that write into a text's blanks, and the pseudo-perplexity of the words.

    Afterwards each blank of `again` is masked once more, and takes a step.
    """
    from random import Random

    from mlm_core.prediction.fillers import find_blanks, score_positions
    from mlm_core.prediction.masked_words import hide, perplexity
    from mlm_core.prediction.unmasking import unmask

    asked, rng = model(model_name), Random(seed)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    blanks = find_blanks(tokenized, asked.tokenizer)
    steps = [*unmask(asked, tokenized, n_steps, order, rng, temperature=temperature)]
    for position in again:
        if position in blanks:
            masked = hide(steps[-1].after, [position], asked.tokenizer)
            steps += unmask(asked, masked, 1, order, rng, temperature=temperature)
    scores = [one.log_probability for one in score_positions(asked, steps[-1].after, blanks)]
    return tuple(steps), perplexity(-sum(scores) / len(scores))


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
            f"{model_name} has no next-sentence head: choose a bundled model in the sidebar"
        )
    text = tokenize(chosen.tokenizer, first, second, max_tokens=chosen.max_tokens)
    segment_ids = [0] * len(text.tokens) if one_segment else text.segment_ids
    with torch.inference_mode():
        encoding = chosen.bert.encode(torch.tensor([text.ids]), torch.tensor([segment_ids]))
    return text, next_sentence_steps(chosen.bert, encoding.last[0])


# The logits of one position before and after, and their gradient: 64 kB each.
@st.cache_resource(max_entries=32, show_spinner=False)
def gradient_step(
    model_name: str,
    target: int,
    position: int,
    others: tuple[tuple[int, int], ...],
    rate: float,
    moved: "Moved",
    ids: Sequence[int],
    _seen: TokenizedText,
) -> "GradientStep":
    """Return one SGD step for a token at a position of a text, which `ids` are the tokens of.

    One at a time: a step on the embedding copies it, and its gradient is as large.
    """
    from mlm_core.prediction.one_step import take_step

    with long_work_lock():
        return take_step(
            model(model_name),
            _seen,
            position,
            target,
            rate=rate,
            moved=moved,
            others=others,
        )


@st.cache_data(max_entries=128, show_spinner=False)
def piece_scores(model_name: str, text: str, word: str, n_tokens: int) -> tuple["PieceScore", ...]:
    """Return three scores of each subword of a word in a text's one blank."""
    from mlm_core.prediction.fillers import word_tokens
    from mlm_core.prediction.split_words import score_pieces

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=n_tokens)
    return score_pieces(asked, tokenized, word_tokens(asked.tokenizer, word))
