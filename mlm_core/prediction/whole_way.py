"""The whole way of one token, from its embedding to the probabilities of words.

    token + position + segment, LayerNorm          the state before the first layer
    Y = LayerNorm(X + attention)                   in each layer
    X' = LayerNorm(Y + feed_forward)               the state after this layer
    u = head(state after the last layer)           logits
    y = softmax(u)                                 probabilities

Each line is one token's: only attention reads the states of other tokens.

Source: Devlin et al. 2019; SLP3 chapter 11. The steps are those of bert.py and block_steps.py.
Departs: a model that another library runs gives its states, weights and logits, but neither the
summands of its embedding nor what attention and feed-forward add. Then `summands` is empty, and
`added` has one vector for each layer: the state after it minus the state before it.

Read before this: masked_words.py; also ../encoder/block_steps.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import torch

from mlm_core.encoder.block_steps import run_block
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText

SUMMANDS = ("token", "position", "segment")


@short_repr("position")
@dataclass(frozen=True, kw_only=True)
class WholeWay:
    """Every stage of one token's way through a model."""

    position: int  # of the token in its text
    summands: Mapping[str, Float[Tensor, " hidden"]]  # of its embedding, by SUMMANDS
    states: tuple[Float[Tensor, " hidden"], ...]  # the embedding output, then one for each layer
    weights: tuple[Float[Tensor, "head key"], ...]  # of its query, by layer; each row sums to 1
    added: tuple[Mapping[str, Float[Tensor, " hidden"]], ...]  # to its state, by layer
    logits: Float[Tensor, " vocabulary"]  # u
    probabilities: Float[Tensor, " vocabulary"]  # y


@torch.inference_mode()
def whole_way(model: MaskedLanguageModel, seen: TokenizedText, position: int) -> WholeWay:
    """Return what becomes of the token at a position of a text, stage by stage.

    The logits are those of `model.vocabulary_logits`, to the bit.
    Raises ValueError if the text has no such position, MissingHeadError if the model has no
    masked-language head.
    """
    if not 0 <= position < len(seen.tokens):
        raise ValueError(
            f"position {position} in a text of {len(seen.tokens)} tokens: choose 0 to N - 1"
        )
    logits = model.vocabulary_logits(seen)[position].clone()  # a view would keep all positions
    encoding = model.encode(seen, record=model.bert is None)
    states = tuple(state[0, position].clone() for state in encoding.states)
    summands: dict[str, Tensor] = {}
    added: list[dict[str, Tensor]]
    if model.bert is None:
        weights = tuple(layer[0, :, position].clone() for layer in encoding.weights)
        added = [{"layer": after - before} for before, after in pairwise(states)]
    else:
        inputs = torch.tensor([[seen.ids], [seen.segment_ids]], device=model.bert.device)
        embedded = model.bert.embeddings.steps(*inputs)
        summands = {name: getattr(embedded, name)[0, position].clone() for name in SUMMANDS}
        blocks = zip(model.bert.blocks, encoding.states[:-1], strict=True)
        steps = [run_block(block, before) for block, before in blocks]
        weights = tuple(one.attention.weights[0, :, position].clone() for one in steps)
        added = [
            {
                "attention": one.attended[0, position].clone(),
                "feed_forward": one.outer[0, position].clone(),
            }
            for one in steps
        ]
    return WholeWay(
        position=position,
        summands=summands,
        states=states,
        weights=weights,
        added=tuple(added),
        logits=logits,
        probabilities=logits.softmax(dim=-1),
    )
