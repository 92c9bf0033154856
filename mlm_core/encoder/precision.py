"""How to block a score in 16-bit numbers: minus infinity or a large negative number.

A mask must make a score so low that its softmax weight is 0. Two ways are in use. They differ
with 16-bit numbers, and in a fully masked row:

    write      scores.masked_fill(blocked, number)          attend() does this
    add        scores + where(blocked, number, 0)           google-research/bert, with -10000

The advice under test is common: "avoid minus infinity in mixed precision, use -1e9". But float16
has no -1e9; its most negative number is -65504.

Source: google-research/bert, modeling.py (the second way); IEEE 754 for float16. Every outcome is
computed by torch, none is stored.

Read before this: attention.py.
"""

from typing import Literal, get_args

import torch

from mlm_core.encoder.attention import NEGATIVE_INFINITY
from mlm_core.shapes import Bool, Float, Tensor

Way = Literal["write", "add"]
# "clean": blocked keys get 0; "leaks": they get some weight. A fully masked row can't be clean: its
# weights are "nan" (0/0), "equal", or "unmasked" (as if there were no mask), or "distorted" (none
# of these). "refused": torch raised an error.
Outcome = Literal["clean", "leaks", "nan", "equal", "unmasked", "distorted", "refused"]
WAYS: tuple[Way, ...] = get_args(Way)
# Weights that differ by less are called the same: bfloat16 has steps of 0.004 below 1.
SAME_WEIGHT = 0.01
# Minus infinity; the advice; float16's most negative number; the number in BERT's own code.
NUMBERS = (NEGATIVE_INFINITY, -1e9, -65504.0, -1e4)


def masked_weights(
    scores: Float[Tensor, " key"],
    attention_mask: Bool[Tensor, " key"],
    number: float,
    way: Way,
    dtype: torch.dtype = torch.float16,
) -> Float[Tensor, " key"] | None:
    """Return the softmax of one row, masked in one way; None if torch refuses the number.

    >>> row, nothing = torch.tensor([2.0, 1.0]), torch.tensor([False, False])
    >>> masked_weights(row, nothing, -1e9, "write", torch.float32)
    tensor([0.5000, 0.5000])
    >>> masked_weights(row, nothing, -1e9, "write") is None
    True
    """
    scores = scores.to(dtype)
    if way == "add":
        # Through float32 first: a cast rounds and overflows silently, as in a mixed-precision run.
        stored = torch.tensor(number, dtype=torch.float32).to(dtype)
        masked = scores + torch.where(attention_mask, torch.zeros_like(stored), stored)
    else:
        try:
            masked = scores.masked_fill(~attention_mask, number)
        except RuntimeError:
            return None
    return torch.softmax(masked, dim=-1)


def outcome(
    weights: Float[Tensor, " key"] | None,
    scores: Float[Tensor, " key"],
    attention_mask: Bool[Tensor, " key"],
) -> Outcome:
    """Return in one word what masked_weights() made of a row.

    >>> scores, mask = torch.tensor([2.0, 1.0]), torch.tensor([True, False])
    >>> outcome(masked_weights(scores, mask, -1e4, "add"), scores, mask)
    'clean'
    """
    if weights is None:
        return "refused"
    if weights.isnan().any():
        return "nan"
    unmasked = torch.softmax(scores.to(weights.dtype).float(), dim=-1)
    weights = weights.float()
    if attention_mask.any():
        return "clean" if weights[~attention_mask].sum() == 0 else "leaks"
    if (weights - 1 / len(weights)).abs().max() < SAME_WEIGHT:
        return "equal"
    return "unmasked" if (weights - unmasked).abs().max() < SAME_WEIGHT else "distorted"
