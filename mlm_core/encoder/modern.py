"""BERT made modern: three of its parts exchanged, each a change of a few lines.

    rotary     query and key are turned by their positions; no table of positions is added
    geglu      outer(GELU(a) * g), inner(x) gives a and g;   BERT: outer(GELU(inner(x)))
    pre_norm   states + part(norm(states));                  BERT: norm(states + part(states))

Sizes stay equal. GeGLU has a third matrix, so its width is two thirds. Before the first part no
norm is needed, since the embeddings are normalized; it goes behind the last block instead.

Source: Su et al. 2021 (RoPE); Shazeer 2020 (GeGLU, and the two thirds); Xiong et al. 2020
(pre-norm); Warner et al. 2024, section 2.1 (ModernBERT, which has all three). Departs: ModernBERT
has no biases in its blocks, and no segments.

Read before this: bert.py, rotary.py. Read next: ../small_runs/schedules.py.
"""

from collections.abc import Collection, Sequence
from typing import Literal, cast, get_args

import torch
from torch import nn
from torch.nn import functional as F

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.encoder.bert import Bert, BertConfig, EncoderBlock, SelfAttention
from mlm_core.encoder.fast_paths import rows_of_mask, states_at_positions
from mlm_core.encoder.rotary import rotary_angles, rotate
from mlm_core.shapes import Bool, Float, Int, Tensor

BlockChange = Literal["rotary", "geglu", "pre_norm"]
BLOCK_CHANGES: tuple[BlockChange, ...] = get_args(BlockChange)


class RotaryAttention(SelfAttention):
    """Self-attention whose queries and keys are turned by their positions."""

    def turn(
        self,
        query: Float[Tensor, "batch head query head_size"],
        key: Float[Tensor, "batch head key head_size"],
        positions: Int[Tensor, "batch query"] | None,
    ) -> tuple[
        Float[Tensor, "batch head query head_size"], Float[Tensor, "batch head key head_size"]
    ]:
        """Return both turned: of two positions, their score depends on the difference only."""
        angles = rotary_angles(torch.arange(key.shape[-2]), self.head_size).to(key)
        of_queries = angles if positions is None else angles[positions].unsqueeze(1)
        return rotate(query, of_queries), rotate(key, angles)


class ModernBlock(EncoderBlock):
    """One layer with some of the changes; without any it is BERT's."""

    def __init__(
        self, config: BertConfig, changes: Collection[BlockChange], *, number: int
    ) -> None:
        """Take the changes; `number` counts the blocks from 1."""
        super().__init__(config)
        hidden, self.changes = config.hidden_size, frozenset(changes)
        self.last_norm: nn.Module = nn.Identity()
        if "rotary" in changes:
            self.attention = RotaryAttention(config)
        if "geglu" in changes:
            width = gated_width(config.intermediate_size)
            self.inner, self.outer = nn.Linear(hidden, 2 * width), nn.Linear(width, hidden)
        if "pre_norm" in changes and number == 1:
            self.attention_norm = nn.Identity()  # the embeddings are normalized
        if "pre_norm" in changes and number == config.n_layers:
            self.last_norm = nn.LayerNorm(hidden, eps=config.layer_norm_epsilon)

    def forward(
        self,
        states: Float[Tensor, "batch token hidden"],
        attention_mask: Bool[Tensor, "*mask query key"] | None,
        record: bool = False,
        positions: Int[Tensor, "batch position"] | None = None,
    ) -> tuple[Float[Tensor, "batch _ hidden"], AttentionSteps | None]:
        """Return the layer's output states, as EncoderBlock does."""
        is_pre = "pre_norm" in self.changes
        read = queries = self.attention_norm(states) if is_pre else states
        if positions is not None:
            states, queries = (states_at_positions(one, positions) for one in (states, read))
            attention_mask = rows_of_mask(attention_mask, positions)
        attended, steps = self.attention(read, attention_mask, record, queries, positions)
        states = states + self.dropout(attended)
        if is_pre:
            return self.last_norm(states + self.feed_forward(self.feed_forward_norm(states))), steps
        states = self.attention_norm(states)
        return self.feed_forward_norm(states + self.feed_forward(states)), steps

    def feed_forward(
        self, states: Float[Tensor, "batch token hidden"]
    ) -> Float[Tensor, "batch token hidden"]:
        """Return what the feed-forward net adds."""
        inner = self.inner(states)
        return self.dropout(self.outer(geglu(inner) if "geglu" in self.changes else F.gelu(inner)))


def geglu(inner: Float[Tensor, "*lead double_width"]) -> Float[Tensor, "*lead width"]:
    """Return GELU of the first half, each number times the one of the second half, its gate.

    >>> geglu(torch.tensor([10.0, 10.0, 0.5, 0.0]))
    tensor([5., 0.])
    """
    activated, gate = inner.chunk(2, dim=-1)
    return F.gelu(activated) * gate


def gated_width(width: int) -> int:
    """Return two thirds: three matrices of this width have the numbers of two of the whole one.

    Source: Shazeer 2020, section 3.1.

    >>> gated_width(3072), gated_width(256)
    (2048, 170)
    """
    return 2 * width // 3


def make_modern(bert: Bert, changes: Collection[BlockChange]) -> Bert:
    """Return `bert` with its parts exchanged, on weights that are still to be set.

    Under "rotary" nothing is trained in the table of positions, which must then be zeros.
    """
    bert.embeddings.position.requires_grad_("rotary" not in changes)
    numbers = range(1, bert.config.n_layers + 1)
    blocks = nn.ModuleList(ModernBlock(bert.config, changes, number=number) for number in numbers)
    bert.blocks = cast("Sequence[EncoderBlock]", blocks)  # torch doesn't say of what
    return bert
