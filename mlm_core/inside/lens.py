"""The logit lens of an encoder: what the head reads from each layer's state at a blank.

    u_i = head(h_i),  i = 0 (embedding output) ... n (last layer);  u_n is the model's prediction

The head was trained on the last layer's states alone. From a lower layer it reads what is already
written in the last layer's directions; what stands there in other directions it can't show.

Source: nostalgebraist 2020, for causal models. Departs: the head of BERT has a transform before
E^T, which belongs to the head here. Belrose et al. 2023 train a translator for each layer (tuned
lens), left out.

Read before this: ../prediction/fillers.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.fillers import Filler, only_blank, rank_of, top_fillers
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText


@dataclass(frozen=True, kw_only=True)
class LensRow:
    """What the head reads after one layer."""

    top: tuple[Filler, ...]  # likeliest first
    followed: Filler  # the token whose rank is followed
    rank: int  # its rank, 1 for the likeliest


@short_repr("position", "ranks")
@dataclass(frozen=True, eq=False, kw_only=True)
class Lens:
    """The head's reading of one blank, from the embedding output to the last layer."""

    position: int  # of the blank
    rows: tuple[LensRow, ...]
    logits: Float[Tensor, "layer vocabulary"]

    @property
    def answer(self) -> Filler:
        """Return the model's likeliest token."""
        return self.rows[-1].top[0]

    @property
    def ranks(self) -> tuple[int, ...]:
        """Return the followed token's rank at each state."""
        return tuple(row.rank for row in self.rows)


@torch.inference_mode()
def lens(
    model: MaskedLanguageModel, text: TokenizedText, *, n: int = 3, followed: int | None = None
) -> Lens:
    """Return the `n` likeliest tokens at the blank by layer, and the rank of one token.

    `followed` is that token's id, by default the model's likeliest token.
    Raises ValueError unless the text has one blank; MissingHeadError if the model has no head,
    MissingLensError if its head can't be asked about states alone.
    """
    blank = only_blank(text, model.tokenizer)
    states = model.encode(text).states
    # The last state with all positions, as in a prediction: the same numbers to the last bit.
    last = model.logits_of_states(states[-1][0])[blank]
    below = torch.stack([state[0, blank] for state in states[:-1]])
    lower = model.logits_of_states(below, is_last=False)
    logits = torch.cat([lower, last[None]])
    id_ = int(last.argmax()) if followed is None else followed
    token = model.tokenizer.id_to_token(id_)
    rows = tuple(
        LensRow(
            top=top_fillers(row, n, model.tokenizer),
            followed=Filler(id=id_, probability=row.softmax(dim=-1)[id_].item(), token=token),
            rank=rank_of(row, id_),
        )
        for row in logits
    )
    return Lens(position=blank, rows=rows, logits=logits)
