"""Scaled dot-product attention, one named step at a time, and its masks.

    weights = softmax(mask(query @ key.T / sqrt(head_size)));  output = weights @ value

Source: Vaswani et al. 2017, section 3.2.1; Jurafsky & Martin, SLP3 chapter 11, Eq 11.1 (with
the mask) and 11.2 (without it). Left out: dropout on the weights, which only training needs.

"Mask" has three meanings in this field. Two are here: the causal mask and the padding mask, which
say which query may attend to which key. The token [MASK] is neither: it is an ordinary token that
every position may attend to.

Read before this: ../text/cutting.py. Read next: bert.py.
"""

import math
from dataclasses import dataclass, fields

import torch

from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.short_repr import short_repr

NEGATIVE_INFINITY = float("-inf")


@short_repr()
@dataclass(frozen=True, kw_only=True)
class AttentionSteps:
    """Every quantity between the three projections and the attention output.

    Leading axes (batch, head) are free; `attention_mask` broadcasts over them.
    """

    query: Float[Tensor, "*lead query head_size"]
    key: Float[Tensor, "*lead key head_size"]
    value: Float[Tensor, "*lead key value_size"]
    attention_mask: Bool[Tensor, "*mask query key"]
    scores: Float[Tensor, "*lead query key"]  # query @ key.T
    scaled_scores: Float[Tensor, "*lead query key"]  # divided by sqrt(head_size)
    masked_scores: Float[Tensor, "*lead query key"]  # -inf where not attention_mask
    weights: Float[Tensor, "*lead query key"]  # each row sums to 1, or to 0 if all is blocked
    output: Float[Tensor, "*lead query value_size"]

    def of_head(self, head: int) -> "AttentionSteps":
        """Return the steps of one head (from 0) of the first text, without lead axes."""
        n_queries, n_keys = self.weights.shape[-2:]
        one_head = {
            field.name: getattr(self, field.name)[0, head]
            for field in fields(self)
            if field.name != "attention_mask"
        }
        return AttentionSteps(
            attention_mask=self.attention_mask.reshape(-1, n_queries, n_keys)[0], **one_head
        )


def attend(
    query: Float[Tensor, "*lead query head_size"],
    key: Float[Tensor, "*lead key head_size"],
    value: Float[Tensor, "*lead key value_size"],
    attention_mask: Bool[Tensor, "*mask query key"] | None = None,
    *,
    divide_by_root: bool = True,
) -> AttentionSteps:
    """Return the attention output and every step on the way to it.

    `attention_mask` is true where a query may look at a key; None lets all look at all.
    `divide_by_root=False` leaves out the division by sqrt(head_size).

    A fully masked row: its softmax is 0/0 = NaN. Its weights and output are set to zero here, as
    torch's own attention does. precision.py compares other numbers than minus infinity.

    Source: Vaswani et al. 2017, Eq 1; SLP3 Eq 11.1, 11.2.
    Raises ValueError if the mask does not fit the number of queries and keys.

    >>> words = torch.eye(3)
    >>> attend(words, words, words, causal_mask(3)).weights[0]
    tensor([1., 0., 0.])
    """
    n_queries, head_size = query.shape[-2:]
    n_keys = key.shape[-2]
    if attention_mask is None:
        attention_mask = bidirectional_mask(n_queries, n_keys, device=query.device)
    if attention_mask.shape[-2:] != (n_queries, n_keys):
        raise ValueError(
            f"a mask of {tuple(attention_mask.shape[-2:])} for {n_queries} queries and {n_keys}"
            " keys: pass one row a query and one column a key, true where the query may look"
        )
    scores = query @ key.transpose(-2, -1)
    scaled_scores = scores / math.sqrt(head_size) if divide_by_root else scores
    masked_scores = scaled_scores.masked_fill(~attention_mask, NEGATIVE_INFINITY)
    weights = softmax_or_zeros(masked_scores)
    return AttentionSteps(
        query=query,
        key=key,
        value=value,
        attention_mask=attention_mask,
        scores=scores,
        scaled_scores=scaled_scores,
        masked_scores=masked_scores,
        weights=weights,
        output=weights @ value,
    )


def softmax_or_zeros(scores: Float[Tensor, "*lead key"]) -> Float[Tensor, "*lead key"]:
    """Return the softmax along the last axis; 0 where all scores are minus infinity.

    >>> softmax_or_zeros(torch.tensor([[0.0, 0.0], [-torch.inf, -torch.inf]]))
    tensor([[0.5000, 0.5000],
            [0.0000, 0.0000]])
    """
    is_blocked = (scores == NEGATIVE_INFINITY).all(dim=-1, keepdim=True)
    return torch.softmax(scores, dim=-1).masked_fill(is_blocked, 0.0)


def bidirectional_mask(
    n_queries: int, n_keys: int | None = None, *, device: torch.device | None = None
) -> Bool[Tensor, "query key"]:
    """Return the mask that blocks nothing: every token may look at every token."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)


def causal_mask(n_tokens: int, *, device: torch.device | None = None) -> Bool[Tensor, "query key"]:
    """Return the mask that lets each token look at itself and at the ones before it.

    Source: SLP3 Fig 11.2, where the upper triangle is set to minus infinity.

    >>> causal_mask(3).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=device).tril()


def padding_mask(not_padding: Bool[Tensor, "*batch key"]) -> Bool[Tensor, "*batch query key"]:
    """Return the mask that lets every token look at real tokens only, not at padding.

    The padding tokens still look: their rows are computed and then ignored, as in BERT.

    >>> padding_mask(torch.tensor([True, True, False])).int()
    tensor([[1, 1, 0],
            [1, 1, 0],
            [1, 1, 0]], dtype=torch.int32)
    """
    n_tokens = not_padding.shape[-1]
    return not_padding.unsqueeze(-2).expand(*not_padding.shape[:-1], n_tokens, n_tokens)
