"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping
from math import exp
from random import Random
from statistics import fmean

import torch

from mlm_core.masking.random_words import RandomWords, random_words, unigram_counts
from mlm_core.masking.rule import CorruptionRule
from mlm_core.prediction.fillers import score_among_hidden, top_fillers
from mlm_core.prediction.masked_words import put_tokens
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from pages.kit.remember import long_work_lock, model, model_tokenizer, remembered


# Some 300 kB each; counting reads the whole corpus.
@remembered(8)
def random_word_sampler(model_name: str, uniform: bool, language: str = "en") -> RandomWords:
    """Return where a model's random words come from: by frequency in our texts, or uniform."""
    tokenizer = model_tokenizer(model_name)
    counts = None if uniform else unigram_counts(tokenizer, corpora.sentences(language))
    return random_words(tokenizer, counts)


# Some floats for each rate; all rates take half a second.
@remembered(128)
def probability_among_hidden(
    model_name: str, text: str, n_tokens: int, masked_rate: float, seed: int
) -> float:
    """Return the mean probability of a text's tokens where others are masked along with each."""
    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=n_tokens)
    with long_work_lock():
        scores = score_among_hidden(asked, tokenized, masked_rate, Random(seed))
    return fmean(exp(score) for score in scores)


@remembered(256)
def with_token(
    model_name: str, text: str, n_tokens: int, position: int, id_: int, n: int
) -> tuple[float, list[float], list[tuple[str, float]]]:
    """Return what a model predicts where a token has another's place in a text.

    These are that token's probability, those of all original tokens, and the likeliest there.
    """
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


def in_short() -> Mapping[str, object]:
    """Return what becomes of the tokens by BERT's rule, in proportions of all."""
    rule = CorruptionRule()
    chosen = rule.mlm_probability
    return {
        "chosen": chosen,
        "masked": chosen * rule.mask_rate,
        "random": chosen * rule.random_rate,
        "kept": chosen * rule.keep_rate,
    }
