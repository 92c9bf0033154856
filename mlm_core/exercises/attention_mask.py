"""Exercises of the lesson "attention mask".

Read before this: exercise.py, ../encoder/drawn_masks.py.
"""

import math
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsModelError,
    Task,
    Verdict,
    choice_task,
    number_task,
    read_pair,
)
from mlm_core.exercises.tasks.masks import judge_mask
from mlm_core.exercises.tasks.own_words import check_own_sentence, real_words
from mlm_core.number_format import formatted
from mlm_core.text.tokens import tokenize

if TYPE_CHECKING:
    from mlm_core.shapes import Bool, Tensor

TWO_SENSES = ("bank", "match", "letter", "light", "right", "party", "point", "star", "spring")
FEWEST_WORDS = 4  # of each sentence
# Contexts such as a river and interest rates give 0.4 to 0.6; a comma alone 0.76 to 0.93, so that
# the words are compared, too.
BELOW_COSINE = 0.85
SAME_COSINE = 0.9999
SCORES = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0)
DRAWN_TOKENS = ("[CLS]", "The", "tide", "came", "in", "[SEP]")


def _softmax_weight(learner: Learner, rng: Random) -> Task:
    """Ask for one attention weight, from scores, with scaling and the causal mask."""
    import torch

    from mlm_core.encoder.attention import softmax_or_zeros

    root = rng.choice((2, 4, 8))
    first, second, third = rng.sample(SCORES, 3)
    row = torch.tensor([first, second, third], dtype=torch.float64)

    def weight(scores: "Tensor") -> float:
        return softmax_or_zeros(scores)[0].item()

    visible = row / root
    visible[2] = -math.inf
    right = weight(visible)
    return number_task(
        right=right,
        tolerance=0.006,
        mistakes={
            "no_mask": weight(row / root),
            "not_divided": weight(torch.tensor([first, second], dtype=torch.float64)),
            "other_key": 1 - right,
            "divided_by_size": weight(torch.tensor([first, second]) / root**2),
        },
        values={
            "first": int(first),
            "second": int(second),
            "third": int(third),
            "size": root**2,
            "root": root,
            "scaled_first": round(first / root, 4),
            "scaled_second": round(second / root, 4),
            "weight": formatted(right, ".3f"),
            "other": formatted(1 - right, ".3f"),
        },
        answer=formatted(right, ".3f"),
    )


def _n_scores(learner: Learner, rng: Random) -> Task:
    """Ask how many scores a model computes for a text of a given length."""
    n, heads, layers = (
        rng.choice((32, 50, 64, 100, 128)),
        rng.choice((4, 8, 12)),
        rng.choice((2, 6)),
    )
    scores = layers * heads * n * n
    return number_task(
        right=scores,
        tolerance=0,
        mistakes={
            "one_head": layers * n * n,
            "one_layer": heads * n * n,
            "one_of_each": n * n,
            "not_squared": layers * heads * n,
            "half": layers * heads * n * (n + 1) // 2,
        },
        values={
            "n": n,
            "heads": heads,
            "layers": layers,
            "square": formatted(n * n, ","),
            "scores": formatted(scores, ","),
            "doubled": formatted(4 * scores, ","),
        },
    )


def _which_mask(learner: Learner, rng: Random) -> Task:
    """Ask which of the three masks has a given purpose."""
    jobs = {
        "batch": "padding",
        "ahead": "causal",
        "hide": "token",
        "cache": "causal",
        "shorter": "padding",
        "looked_at": "token",
    }
    variant = rng.choice(tuple(jobs))
    return choice_task(("causal", "padding", "token"), right=jobs[variant], variant=variant)


def _same_vectors(learner: Learner, rng: Random) -> Task:
    """Ask for two sentences with equal vectors under the causal mask only."""
    model = learner.model()
    if model.bert is None:
        raise NeedsModelError("needs_switch")
    word = rng.choice(TWO_SENSES)

    def judge(answer: str) -> Verdict:
        from mlm_core.encoder.comparison import compare_word, shared_words

        pair = read_pair(answer)
        for text in pair:
            check_own_sentence(text, model.tokenizer, fewest=FEWEST_WORDS)
        texts = [tokenize(model.tokenizer, text, max_tokens=model.max_tokens) for text in pair]
        shared = {each.text: each for each in shared_words(*texts)}
        if word not in shared:
            return Verdict.wrong("word_missing")
        # Marks, letters and invented words are no other sentence.
        own_words = [real_words(text, model.tokenizer) for text in pair]
        if sorted(own_words[0]) == sorted(own_words[1]):
            return Verdict.wrong("same_sentence")
        causal, both = (
            compare_word(*(model.encode(text, causal=switch) for text in texts), shared[word])
            for switch in (True, False)
        )
        values = {
            "causal": formatted(causal.cosines[-1], ".3f"),
            "both": formatted(both.cosines[-1], ".3f"),
        }
        if causal.cosines[-1] < SAME_COSINE:
            return Verdict.wrong("parted_before", **values)
        if both.cosines[-1] > BELOW_COSINE:
            return Verdict.wrong("too_alike", **values)
        return Verdict.right(**values)

    return Task(values={"word": word, "below": BELOW_COSINE}, judge=judge)


def _draw_mask(learner: Learner, rng: Random) -> Task:
    """Ask for the mask that a sentence describes."""
    from mlm_core.encoder.drawn_masks import mask_to_text

    variant = rng.choice(("neighbours", "not_itself", "prefix", "padding", "two_texts"))
    k = rng.choice((2, 3, 4))
    right = mask_of(variant, k)
    n = len(DRAWN_TOKENS)

    def judge(answer: str) -> Verdict:
        return judge_mask(answer, right, {"turned": right.T}, DRAWN_TOKENS)

    return Task(
        values={
            "k": k,
            "last": DRAWN_TOKENS[k - 1],
            "next": DRAWN_TOKENS[k],
            "n_padding": n - k,
            "n_open": int(right.sum()),
            "n_cells": n * n,
        },
        judge=judge,
        variant=variant,
        tokens=DRAWN_TOKENS if variant != "padding" else (*DRAWN_TOKENS[:k], *("[PAD]",) * (n - k)),
        answer=mask_to_text(right),
    )


def mask_of(variant: str, k: int) -> "Bool[Tensor, 'query key']":
    """Return the mask of one of the sentences; `k` is its number of tokens."""
    import torch

    from mlm_core.encoder.attention import causal_mask, padding_mask

    places = torch.arange(len(DRAWN_TOKENS))
    query, key = places[:, None], places[None, :]
    if variant == "neighbours":
        return (query - key).abs() <= 1
    if variant == "not_itself":
        return query != key
    if variant == "prefix":
        return causal_mask(len(DRAWN_TOKENS)) | (key < k)
    if variant == "padding":
        return padding_mask(places < k)
    return (query < k) == (key < k)


EXERCISES = (
    Exercise(id="softmax_weight", kind="number", ask=_softmax_weight),
    Exercise(id="draw_mask", kind="mask", ask=_draw_mask),
    Exercise(id="n_scores", kind="number", ask=_n_scores),
    Exercise(id="which_mask", kind="choice", ask=_which_mask),
    Exercise(id="same_vectors", kind="pair", ask=_same_vectors),
)
