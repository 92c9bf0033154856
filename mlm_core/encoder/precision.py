"""How to block a score in 16-bit numbers: minus infinity or a large constant.

A mask must make a score so low that its softmax weight is 0. Three ways are in use. They differ
with 16-bit numbers, and in a fully masked row:

    write      scores.masked_fill(blocked, constant)             attend() does this
    add        scores + where(blocked, constant, 0)
    multiply   scores + (1 - attention_mask) * constant          google-research/bert, -10000

The advice under test is common: "avoid minus infinity in mixed precision, use -1e9". But float16
has no -1e9; its most negative number is -65504.

Source: google-research/bert, modeling.py (the third way); IEEE 754 for float16. Every outcome is
computed by torch, none is stored.

Read before this: attention.py.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

import torch

from mlm_core.encoder.attention import NEGATIVE_INFINITY
from mlm_core.shapes import Bool, Float, Tensor

NumberType = Literal["float32", "float16", "bfloat16"]
Way = Literal["write", "add", "multiply"]
# "clean": blocked keys get 0. A fully masked row can't be clean: its weights are
# "zeros" by definition, or "equal", or "unmasked" (as if there were no mask), or "distorted"
# (none of these). "leaks": some weight goes to blocked keys. "refused": torch raised an error.
Outcome = Literal["clean", "leaks", "zeros", "equal", "unmasked", "distorted", "nan", "refused"]
NUMBER_TYPES: tuple[NumberType, ...] = get_args(NumberType)
WAYS: tuple[Way, ...] = get_args(Way)
# Weights that differ by less are called the same: bfloat16 has steps of 0.004 below 1.
SAME_WEIGHT = 0.01
# Minus infinity; the advice; float16's most negative number; the constant of BERT's own code.
CONSTANTS = (NEGATIVE_INFINITY, -1e9, -65504.0, -1e4)


@dataclass(frozen=True, kw_only=True)
class MaskingTrial:
    """One row of scores, masked in one way with one constant in one number type.

    If torch refuses, `refusal` is its error message, and `masked_scores` and `weights` are None.
    """

    number_type: NumberType
    way: Way
    constant: float  # as given
    stored_constant: float  # as the number type holds it
    attention_mask: Bool[Tensor, " key"]
    scores: Float[Tensor, " key"]  # in the number type, as all that follow
    masked_scores: Float[Tensor, " key"] | None
    weights: Float[Tensor, " key"] | None  # the softmax alone; NaN where it is 0/0
    refusal: str | None

    @property
    def outcome(self) -> Outcome:
        """Return the outcome in one word."""
        if self.weights is None:
            return "refused"
        if not self.attention_mask.any():
            return name_blocked_row(self.weights, self.scores)
        if self.weights.isnan().any():
            return "nan"
        return "clean" if self.weights[~self.attention_mask].float().sum() == 0 else "leaks"


def mask_scores(
    scores: Float[Tensor, " key"],
    attention_mask: Bool[Tensor, " key"],
    *,
    number_type: NumberType,
    constant: float,
    way: Way,
) -> MaskingTrial:
    """Mask one row of scores in one way; return every step of it.

    >>> row, nothing = torch.tensor([2.0, 1.0]), torch.tensor([False, False])
    >>> mask_scores(row, nothing, number_type="float32", constant=-1e9, way="write").weights
    tensor([0.5000, 0.5000])
    >>> mask_scores(row, nothing, number_type="float16", constant=-1e9, way="write").refusal
    'value cannot be converted to type c10::Half without overflow'
    """
    dtype = getattr(torch, number_type)
    scores = scores.to(dtype)
    masked_scores = weights = refusal = None
    try:
        masked_scores = _mask(scores, attention_mask, constant, way)
        weights = torch.softmax(masked_scores, dim=-1)
    except RuntimeError as error:
        refusal = str(error)
    return MaskingTrial(
        number_type=number_type,
        way=way,
        constant=constant,
        # Through float32 first: a cast rounds and overflows silently, as in a mixed-precision run.
        stored_constant=torch.tensor(constant, dtype=torch.float32).to(dtype).item(),
        attention_mask=attention_mask,
        scores=scores,
        masked_scores=masked_scores,
        weights=weights,
        refusal=refusal,
    )


def _mask(
    scores: Float[Tensor, " key"], attention_mask: Bool[Tensor, " key"], constant: float, way: Way
) -> Float[Tensor, " key"]:
    if way == "write":
        return scores.masked_fill(~attention_mask, constant)
    if way == "add":
        stored = torch.tensor(constant, dtype=torch.float32, device=scores.device).to(scores.dtype)
        return scores + torch.where(attention_mask, torch.zeros_like(stored), stored)
    return scores + (1 - attention_mask.to(scores.dtype)) * constant


def every_masking(
    scores: Float[Tensor, " key"], attention_mask: Bool[Tensor, " key"], number_type: NumberType
) -> tuple[MaskingTrial, ...]:
    """Return the trials of every constant and way in one number type, in that order."""
    return tuple(
        mask_scores(scores, attention_mask, number_type=number_type, constant=constant, way=way)
        for constant, way in product(CONSTANTS, WAYS)
    )


def name_blocked_row(weights: Float[Tensor, " key"], scores: Float[Tensor, " key"]) -> Outcome:
    """Return in one word the weights of a fully masked row.

    >>> name_blocked_row(torch.tensor([0.5, 0.5]), torch.tensor([2.0, 1.0]))
    'equal'
    """
    weights = weights.float()
    if weights.isnan().any():
        return "nan"
    if (weights == 0).all():
        return "zeros"
    if (weights - 1 / len(weights)).abs().max() < SAME_WEIGHT:
        return "equal"
    unmasked = torch.softmax(scores.float(), dim=-1)
    return "unmasked" if (weights - unmasked).abs().max() < SAME_WEIGHT else "distorted"
