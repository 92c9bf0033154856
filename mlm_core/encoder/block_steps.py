"""One encoder block, one step at a time: outputs, shapes, parameters.

    input -> query, key, value -> scores -> weights -> heads -> joined -> attended
          -> first_sum = input + attended -> first_norm
          -> inner -> activated -> outer
          -> second_sum = first_norm + outer -> output

The steps do what EncoderBlock.forward does, with a name for every intermediate; dropout, which
only training needs, is left out. `block_rows` gives the shapes and parameter counts of the same
steps from the sizes alone, without a model.

Source: Vaswani et al. 2017, section 3; SLP3 chapter 11; google-research/bert (the norm after
each sum, not before it).

Read before this: bert.py.
"""

from dataclasses import dataclass, fields

import torch
from torch.nn import functional as F

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.encoder.bert import BertConfig, EncoderBlock
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class BlockSteps:
    """Every intermediate of one encoder block."""

    input: Float[Tensor, "batch token hidden"]
    attention: AttentionSteps  # query, key, value, scores, ..., output of each head
    joined: Float[Tensor, "batch token hidden"]  # the heads' outputs side by side
    attended: Float[Tensor, "batch token hidden"]  # through the output projection
    first_sum: Float[Tensor, "batch token hidden"]  # input + attended
    first_norm: Float[Tensor, "batch token hidden"]
    inner: Float[Tensor, "batch token inner"]
    activated: Float[Tensor, "batch token inner"]  # GELU
    outer: Float[Tensor, "batch token hidden"]
    second_sum: Float[Tensor, "batch token hidden"]  # first_norm + outer
    output: Float[Tensor, "batch token hidden"]  # normalized


@dataclass(frozen=True, kw_only=True)
class BlockRow:
    """One step of the block as its sizes alone define it."""

    name: str  # of a field of BlockSteps or AttentionSteps, "heads" for the latter's output
    formula: str  # in plain text, letters as in Vaswani et al.
    shape: tuple[int, ...]
    n_parameters: int


@dataclass(frozen=True, kw_only=True)
class TokenAtStep:
    """One token's vector after one step, with the heads' vectors side by side."""

    name: str
    size: int  # dimensions of the vector
    length: float  # its Euclidean norm
    mean: float
    deviation: float  # standard deviation over its dimensions
    first: tuple[float, ...]  # its first three dimensions


def run_block(
    block: EncoderBlock,
    states: Float[Tensor, "batch token hidden"],
    attention_mask: Bool[Tensor, "*mask query key"] | None = None,
) -> BlockSteps:
    """Return every intermediate of one block; `output` equals the block's own output.

    >>> block = EncoderBlock(BertConfig(hidden_size=6, n_heads=3, intermediate_size=10)).eval()
    >>> tuple(run_block(block, torch.zeros(1, 4, 6)).attention.weights.shape)
    (1, 3, 4, 4)
    """
    attended, attention = block.attention(states, attention_mask, record=True)
    first_sum = states + attended
    first_norm = block.attention_norm(first_sum)
    inner = block.inner(first_norm)
    activated = F.gelu(inner)
    outer = block.outer(activated)
    second_sum = first_norm + outer
    return BlockSteps(
        input=states,
        attention=attention,
        joined=_side_by_side(attention.output),
        attended=attended,
        first_sum=first_sum,
        first_norm=first_norm,
        inner=inner,
        activated=activated,
        outer=outer,
        second_sum=second_sum,
        output=block.feed_forward_norm(second_sum),
    )


def value_lengths(
    block: EncoderBlock, value: Float[Tensor, "batch head key head_size"]
) -> Float[Tensor, "batch head key"]:
    """Return the length of each key's value vector after its head's part of W_O.

    A query receives a vector of weight times this length from a key, |α v W_O|. So the largest
    weight need not bring the most.

    Source: Kobayashi et al. 2020, section 3. Departs: heads stay apart.

    >>> block = EncoderBlock(BertConfig(hidden_size=6, n_heads=3, intermediate_size=10))
    >>> tuple(value_lengths(block, torch.zeros(1, 3, 4, 2)).shape)
    (1, 3, 4)
    """
    projection = block.attention.output.weight.unflatten(1, (value.shape[1], value.shape[3]))
    return torch.einsum("bhkd,ohd->bhko", value, projection).norm(dim=-1)


def largest_elsewhere(
    weights: Float[Tensor, "batch head query key"], lengths: Float[Tensor, "batch head key"]
) -> Int[Tensor, "batch head query"]:
    """Return the key that brings most to each query, -1 where it is the one of the largest weight.

    >>> weights = torch.tensor([[[[0.6, 0.4], [0.9, 0.1]]]])
    >>> largest_elsewhere(weights, torch.tensor([[[1.0, 2.0]]]))
    tensor([[[ 1, -1]]])
    """
    most = (weights * lengths.unsqueeze(-2)).argmax(dim=-1)
    return most.where(most != weights.argmax(dim=-1), -1)


def follow_token(steps: BlockSteps, position: int) -> tuple[TokenAtStep, ...]:
    """Return one token's vector after each step that has a vector per token.

    Raises ValueError if the text has no such position.
    """
    n_tokens = steps.input.shape[1]
    if not 0 <= position < n_tokens:
        raise ValueError(f"position {position} in a text of {n_tokens} tokens: choose 0 to N - 1")
    made: dict[str, Tensor] = {}
    for field in fields(steps):  # in the order of running
        if field.name != "attention":
            made[field.name] = getattr(steps, field.name)
            continue
        for name in ("query", "key", "value"):
            made[name] = _side_by_side(getattr(steps.attention, name))
    return tuple(_describe(name, states[0, position]) for name, states in made.items())


def block_rows(config: BertConfig, *, batch_size: int, n_tokens: int) -> tuple[BlockRow, ...]:
    """Return shape and parameter count of every step of one block, in running order.

    >>> rows = block_rows(BertConfig(), batch_size=1, n_tokens=9)  # BERT-base
    >>> rows[4].name, rows[4].shape, sum(row.n_parameters for row in rows)
    ('scores', (1, 12, 9, 9), 7087872)
    """
    hidden, inner = config.hidden_size, config.intermediate_size
    states, wide = (batch_size, n_tokens, hidden), (batch_size, n_tokens, inner)
    heads = (batch_size, config.n_heads, n_tokens, config.head_size)
    square = (batch_size, config.n_heads, n_tokens, n_tokens)
    projection, norm = hidden * hidden + hidden, 2 * hidden
    listed = (
        ("input", "X", states, 0),
        ("query", "Q = X W_Q + b", heads, projection),
        ("key", "K = X W_K + b", heads, projection),
        ("value", "V = X W_V + b", heads, projection),
        ("scores", "S = Q Kᵀ / √d_k", square, 0),
        ("weights", "A = softmax(S)", square, 0),
        ("heads", "A V", heads, 0),
        ("joined", "concat(A V)", states, 0),
        ("attended", "Z = concat(A V) W_O + b", states, projection),
        ("first_sum", "X + Z", states, 0),
        ("first_norm", "Y = LayerNorm(X + Z)", states, norm),
        ("inner", "Y W_1 + b", wide, hidden * inner + inner),
        ("activated", "G = GELU(Y W_1 + b)", wide, 0),
        ("outer", "F = G W_2 + b", states, inner * hidden + hidden),
        ("second_sum", "Y + F", states, 0),
        ("output", "LayerNorm(Y + F)", states, norm),
    )
    return tuple(
        BlockRow(name=name, formula=formula, shape=shape, n_parameters=n_parameters)
        for name, formula, shape, n_parameters in listed
    )


def _side_by_side(
    heads: Float[Tensor, "batch head token head_size"],
) -> Float[Tensor, "batch token hidden"]:
    return heads.transpose(1, 2).flatten(-2)


def _describe(name: str, vector: Float[Tensor, " size"]) -> TokenAtStep:
    return TokenAtStep(
        name=name,
        size=vector.numel(),
        length=torch.linalg.vector_norm(vector).item(),
        mean=vector.mean().item(),
        deviation=vector.std(correction=0).item(),
        first=tuple(vector[:3].tolist()),
    )
