"""The trained part of a model: the last layers that are read, and a head.

    frozen   embeddings, layers 1 .. n-k     run once for each text; their states are kept
    trained  layers n-k+1 .. n, head         run at every step, on the kept states
    left out layers above n                  never run

n is the number of layers that are read: all, or fewer. With k = 0 only the head is trained. With
k = n the embeddings may be trained as well, but only the rows of tokens in the training examples:
no other row has a gradient.

The trained layers are copies. The encoder itself is shared by all runs and never changes.

Source: Devlin et al. 2019, section 5.3 (a frozen encoder's features against fine-tuning); Howard
& Ruder 2018 on training the upper layers alone; Sajjad et al. 2023 on top-layer dropping.
Departs: no dropout, so that a run depends on its settings alone. AdamW on all rows would also decay
the unused ones, by a millionth a step.

Read before this: heads.py. Read next: task.py; also settings.py.
"""

import copy
from typing import TypeVar

import torch
from torch import nn

from mlm_core.encoder.attention import padding_mask
from mlm_core.encoder.bert import Bert, Embeddings, SelfAttention
from mlm_core.finetuning.heads import Head
from mlm_core.shapes import Bool, Float, Int, Tensor

CopiedModule = TypeVar("CopiedModule", bound=nn.Module)


class UsedEmbeddings(nn.Module):
    """An encoder's embeddings, in which only the rows of some tokens are trained."""

    row_of_id: Int[Tensor, " vocabulary"]
    used_ids: Int[Tensor, " used"]
    table: Float[Tensor, "vocabulary hidden"]

    def __init__(self, embeddings: Embeddings, used_ids: Int[Tensor, " used"]) -> None:
        super().__init__()
        table = embeddings.token.weight.detach()
        self.rows = nn.Parameter(table[used_ids].clone())
        self.position = nn.Parameter(embeddings.position.weight.detach().clone())
        self.segment = nn.Parameter(embeddings.segment.weight.detach().clone())
        self.norm = _copied(embeddings.norm)
        # The index of a token's row among the trained ones; -1 for a token without one.
        row_of_id = torch.full((len(table),), -1, device=table.device)
        row_of_id[used_ids] = torch.arange(len(used_ids), device=table.device)
        # Buffers move with the parameters; a saved model doesn't need them.
        for name, tensor in (("row_of_id", row_of_id), ("used_ids", used_ids), ("table", table)):
            self.register_buffer(name, tensor, persistent=False)

    def forward(
        self, ids: Int[Tensor, "batch token"], segment_ids: Int[Tensor, "batch token"]
    ) -> Float[Tensor, "batch token hidden"]:
        """Return what Embeddings returns, with the trained rows."""
        rows = self.row_of_id[ids]
        trained = self.rows[rows.clamp(min=0)]
        token = torch.where(rows.unsqueeze(-1) < 0, self.table[ids], trained)
        segment = self.segment[segment_ids.clamp(max=len(self.segment) - 1)]
        return self.norm(token + self.position[: ids.shape[1]] + segment)


class TrainedLayers(nn.Module):
    """The trained layers; `embeddings` is None unless they are trained too."""

    def __init__(
        self,
        bert: Bert,
        n_layers: int,
        used_ids: Int[Tensor, " used"] | None = None,
        n_read: int | None = None,
    ) -> None:
        """Copy the last `n_layers` of the first `n_read`; with `used_ids`, also the embeddings."""
        super().__init__()
        n_all = bert.config.n_layers
        n_read = n_all if n_read is None else n_read
        fits = 0 <= n_layers <= n_read <= n_all
        if not fits or (used_ids is not None and n_layers < n_read):
            raise ValueError(
                f"{n_layers} of {n_read} layers to train, in a model of {n_all}: take at most all"
                " that are read, and all of them if the embeddings are trained"
            )
        self.n_frozen = n_read - n_layers
        self.embeddings = None if used_ids is None else UsedEmbeddings(bert.embeddings, used_ids)
        self.blocks = nn.ModuleList(_copied(block) for block in bert.blocks[self.n_frozen : n_read])
        self.requires_grad_(True)

    def last_states(
        self,
        states: Float[Tensor, "batch token hidden"],
        not_padding: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, "batch token hidden"]:
        """Return the states after the trained layers, from those below them."""
        attention_mask = None if not_padding.all() else padding_mask(not_padding).unsqueeze(1)
        for block in self.blocks:
            states, _ = block(states, attention_mask)
        return states


class UpperLayers(TrainedLayers):
    """The trained layers and a head."""

    def __init__(
        self,
        bert: Bert,
        n_layers: int,
        head: Head,
        used_ids: Int[Tensor, " used"] | None = None,
        n_read: int | None = None,
    ) -> None:
        """Copy what TrainedLayers copies, and put the head on top."""
        super().__init__(bert, n_layers, used_ids, n_read)
        self.head = head.to(bert.device).requires_grad_(True)

    def forward(
        self,
        states: Float[Tensor, "batch token hidden"],
        not_padding: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, "batch *token class"]:
        """Return the head's logits from the states below the trained layers."""
        return self.head(self.last_states(states, not_padding), not_padding)


def _copied(module: CopiedModule) -> CopiedModule:
    """Return a copy that trains without dropout."""
    copied = copy.deepcopy(module)
    for part in copied.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
        if isinstance(part, SelfAttention):
            part.dropout_rate = 0.0
    return copied
