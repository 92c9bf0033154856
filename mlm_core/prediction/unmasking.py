"""Write by unmasking: blanks become text in n steps, several of them in each.

    [MASK]  [MASK]  [MASK]  [MASK]      n_blanks = 4, n_steps = 2
     sat    [MASK]  [MASK]   her        step 1: predict all, keep 2, the others stay [MASK]
     sat     down    with    her        step 2: predict those that are left, and keep them

    masks left after step k = floor(n_blanks (n_steps - k) / n_steps)

Tokens of one step are predicted independently. At temperature 0 with a step for each blank it is
`fill_in_turn` of fillers.py.

Source: Ghazvininejad et al. 2019 for keeping the most certain; Nie et al. 2025 (LLaDA) for texts
from blanks alone; Sahoo et al. 2024 (MDLM) also for never predicting [MASK]. Departs: they train
with a mask rate drawn from 0 to 1 for each text, a BERT with 15 %.

Read before this: fillers.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.fillers import find_blanks
from mlm_core.prediction.masked_words import put_tokens
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText, role_id

KeepOrder = Literal["most_certain_first", "random", "left_to_right"]
KEEP_ORDERS: tuple[KeepOrder, ...] = get_args(KeepOrder)

MOST_BLANKS = 16  # with a step for each: each takes a pass


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The token that one step proposes for one blank."""

    position: int
    id: int
    probability: float  # 0 to 1, at temperature 1
    is_kept: bool  # False: the position stays [MASK]


@dataclass(frozen=True, kw_only=True)
class UnmaskStep:
    """One step: a proposal for each blank, from left to right, and the text with the kept ones."""

    proposals: tuple[Proposal, ...]
    after: TokenizedText
    masks_left: int


def planned_masks(n_blanks: int, n_steps: int) -> tuple[int, ...]:
    """Return how many masks are left after each step, in equal parts down to 0.

    Raises ValueError if a step would have no blank to fill.

    >>> planned_masks(8, 3)
    (5, 2, 0)
    """
    if not 1 <= n_steps <= n_blanks:
        raise ValueError(f"{n_steps} steps for {n_blanks} blanks: choose 1 to {n_blanks}")
    return tuple(n_blanks * (n_steps - k) // n_steps for k in range(1, n_steps + 1))


@torch.inference_mode()
def unmask(
    model: MaskedLanguageModel,
    text: TokenizedText,
    n_steps: int,
    order: KeepOrder,
    rng: Random,
    *,
    temperature: float = 0.0,
) -> Iterator[UnmaskStep]:
    """Write into the blanks of a text; a text without blanks needs no step.

    At temperature 0 each proposal is the likeliest token, and only the random order uses `rng`.
    Raises ValueError for an unknown order, a temperature below 0, too many blanks or steps;
    MissingHeadError if the model has no masked-language head.
    """
    if order not in KEEP_ORDERS:
        raise ValueError(f"order {order!r}: choose one of {', '.join(KEEP_ORDERS)}")
    if not 0 <= temperature < torch.inf:
        raise ValueError(f"temperature {temperature}: choose 0 or more")
    blanks = find_blanks(text, model.tokenizer)
    if len(blanks) > MOST_BLANKS:
        raise ValueError(
            f"{len(blanks)} blanks, and each takes a pass: write at most {MOST_BLANKS} of them"
        )
    mask_id = role_id(model.tokenizer, "[MASK]")
    for masks_left in planned_masks(len(blanks), n_steps) if blanks else ():
        logits = model.vocabulary_logits(text)[list(blanks)]
        probabilities = logits.softmax(dim=-1)
        logits[:, mask_id] = -torch.inf
        ids = [_choose(row, temperature, rng) for row in logits]
        certainty = [row[id_].item() for row, id_ in zip(probabilities, ids, strict=True)]
        first = list(range(len(blanks)))
        if order == "random":
            rng.shuffle(first)
        elif order == "most_certain_first":
            first.sort(key=certainty.__getitem__, reverse=True)
        kept = first[: len(blanks) - masks_left]
        proposals = tuple(
            Proposal(position=blank, id=ids[i], probability=certainty[i], is_kept=i in kept)
            for i, blank in enumerate(blanks)
        )
        written = {one.position: one.id for one in proposals if one.is_kept}
        text = put_tokens(text, written, model.tokenizer)
        blanks = tuple(blank for blank in blanks if blank not in written)
        yield UnmaskStep(proposals=proposals, after=text, masks_left=masks_left)


def _choose(logits: Float[Tensor, " vocabulary"], temperature: float, rng: Random) -> int:
    """Return the likeliest token at temperature 0, else one drawn from softmax(u / T)."""
    if temperature == 0:
        return int(logits.argmax())
    # Less the largest: a temperature near 0 then gives 0 and -inf, never inf - inf.
    scaled = (logits - logits.max()).double() / temperature
    cumulated = scaled.softmax(dim=-1).cumsum(dim=-1)
    return int((cumulated <= rng.random() * cumulated[-1]).sum())
