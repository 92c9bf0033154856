"""An exercise: draw the attention mask that a sentence describes.

Read before this: ../exercise.py, ../../encoder/drawn_masks.py.
"""

from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import Learner, Task, UnreadableAnswerError, Verdict

if TYPE_CHECKING:
    from mlm_core.shapes import Bool, Tensor

DRAWN_TOKENS = ("[CLS]", "The", "tide", "came", "in", "[SEP]")


def draw_mask(learner: Learner, rng: Random) -> Task:
    """Ask for the mask that a sentence describes."""
    from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text

    variant = rng.choice(("neighbours", "not_itself", "prefix", "padding", "two_texts"))
    k = rng.choice((2, 3, 4))
    right = mask_of(variant, k)
    n = len(DRAWN_TOKENS)

    def judge(answer: str) -> Verdict:
        try:
            drawn = mask_from_text(answer, n)
        except ValueError:
            raise UnreadableAnswerError("no_mask") from None
        wrong = (drawn != right).nonzero().tolist()
        if not wrong:
            return Verdict(outcome="right")
        if (drawn == right.T).all():
            return Verdict(outcome="wrong", hint="turned")
        i, j = wrong[0]
        return Verdict(
            outcome="wrong",
            hint="too_open" if drawn[i, j] else "too_closed",
            values={"n_wrong": len(wrong), "row": DRAWN_TOKENS[i], "column": DRAWN_TOKENS[j]},
        )

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
