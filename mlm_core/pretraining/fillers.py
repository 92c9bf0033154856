"""What the model predicts at a hidden position: a distribution over the vocabulary.

    P(token | position) = softmax(u),  u = h E^T, the logits of the masked-language head

Source: SLP3 chapter 11, Eq 11.3.

Read before this: ../encoder/bert.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.shapes import Float, Tensor


@dataclass(frozen=True, kw_only=True)
class Filler:
    """One guess for a blank."""

    id: int  # its row in the vocabulary
    probability: float  # 0 to 1


def top_fillers(logits: Float[Tensor, "vocabulary"], n: int) -> tuple[Filler, ...]:
    """Return the `n` likeliest tokens for one position, likeliest first.

    >>> top_fillers(torch.tensor([0.0, 1.0, 0.0]), 1)[0].id
    1
    """
    best = torch.softmax(logits, dim=-1).topk(min(n, len(logits)))
    return tuple(
        Filler(id=id_, probability=probability)
        for probability, id_ in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    )
