"""Starting weights that let a small encoder leave the unigram plateau early.

From BERT's starting weights, a narrow encoder first learns the unigram frequencies, and stays at
that loss for millions of tokens until some head attends to neighbours. Four changes avoid this:

    wider weights          standard deviation 0.05 where 0.02 suits width 768
    sinusoidal positions   trained from there on, so that distance is visible from step 1
    neighbour heads        the heads of layers 1 and 2 start by attending 1, 2 or 3 tokens away
    scaled branches        each block's two outputs are scaled by 1 / sqrt(2 n_layers), so that
                           a deep stack starts near the identity and takes a higher rate

These are starting weights only: all are trained. Any BERT can have them.

Source: Vaswani et al. 2017, section 3.5 (sinusoids); Radford et al. 2019, section 2.3 (the
scaled outputs). The neighbour heads are this project's.

Read before this: ../encoder/bert.py.
"""

import math
from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Bert, SelfAttention
from mlm_core.shapes import Float, Tensor

# Head by head; a model with fewer heads takes the first ones, one with more repeats them.
OFFSETS_BY_LAYER = ((1, -1, 2, -2), (3, -3, 1, -1))


@dataclass(frozen=True, kw_only=True)
class StartSettings:
    """How the weights start; BERT starts with a scale of 0.02 and none of the others."""

    weight_scale: float = 0.05  # standard deviation of matrices and embeddings
    sinusoid_scale: float = 0.07  # amplitude of the positions; 0: random positions
    neighbour_gain: float = 1.2  # scale of the neighbour heads' scores; 0: random heads
    quiet_branches: bool = True


# Nothing is set in advance. Source: google-research/bert, modeling.py, which draws anew beyond two
# standard deviations; transformers and this do not.
BERT_START = StartSettings(
    weight_scale=0.02, sinusoid_scale=0.0, neighbour_gain=0.0, quiet_branches=False
)


@torch.no_grad()
def set_starting_weights(bert: Bert, settings: StartSettings, generator: torch.Generator) -> None:
    """Set the starting weights of `bert`; the same generator gives the same weights."""
    for name, parameter in bert.named_parameters():
        if name.endswith("bias") or not parameter.requires_grad:  # a table that isn't used
            parameter.zero_()
        elif "norm" in name:
            parameter.fill_(1.0)
        else:
            parameter.normal_(std=settings.weight_scale, generator=generator)
    positions = bert.embeddings.position.weight
    has_sinusoids = settings.sinusoid_scale and positions.requires_grad
    if has_sinusoids:
        positions.copy_(settings.sinusoid_scale * sinusoids(*positions.shape))
    if has_sinusoids and settings.neighbour_gain:
        for block, offsets in zip(bert.blocks, OFFSETS_BY_LAYER, strict=False):
            for head in range(bert.config.n_heads):
                _look_at_neighbour(
                    block.attention,
                    head,
                    offsets[head % len(offsets)],
                    frequencies(bert.config.hidden_size, bert.config.n_positions),
                    settings.neighbour_gain,
                )
    if settings.quiet_branches:
        for block in bert.blocks:
            block.attention.output.weight.div_(math.sqrt(2 * bert.config.n_layers))
            block.outer.weight.div_(math.sqrt(2 * bert.config.n_layers))


def frequencies(hidden_size: int, n_positions: int) -> Float[Tensor, " pair"]:
    """Return the angle by which each pair of dimensions turns from token to token.

    From 2.8, nearly half a turn, so that neighbours differ most, down to half a turn over the
    whole window. Source: Vaswani et al. 2017, where it is from 1 down to 1 / 10,000.
    """
    slowest = math.pi / n_positions
    return torch.logspace(math.log10(2.8), math.log10(slowest), hidden_size // 2)


def sinusoids(n_positions: int, hidden_size: int) -> Float[Tensor, "token hidden"]:
    """Return sines in the even and cosines in the odd dimensions, fastest first."""
    angles = torch.arange(n_positions).unsqueeze(1) * frequencies(hidden_size, n_positions)
    table = torch.zeros(n_positions, hidden_size)
    table[:, 0 : 2 * angles.shape[1] : 2] = angles.sin()
    table[:, 1 : 2 * angles.shape[1] : 2] = angles.cos()
    return table


def _look_at_neighbour(
    attention: SelfAttention,
    head: int,
    offset: int,
    turns: Float[Tensor, " pair"],
    gain: float,
) -> None:
    """Make one head's scores peak where key position = query position + offset.

    The key copies the fastest sinusoids. The query copies them turned by `offset` tokens:
    their product is a sum of cos(turn * (query + offset - key)), largest where that is 0.
    """
    rows = slice(head * attention.head_size, (head + 1) * attention.head_size)
    n_pairs = attention.head_size // 2
    query = torch.zeros(attention.head_size, attention.query.in_features)
    key = torch.zeros_like(query)
    for pair, turn in enumerate(turns[:n_pairs].tolist()):
        even, odd = 2 * pair, 2 * pair + 1
        sine, cosine = math.sin(turn * offset), math.cos(turn * offset)
        key[even, even] = key[odd, odd] = gain
        # sin(a + b) and cos(a + b) from sin a and cos a.
        query[even, even], query[even, odd] = gain * cosine, gain * sine
        query[odd, even], query[odd, odd] = -gain * sine, gain * cosine
    attention.query.weight[rows] = query
    attention.key.weight[rows] = key
