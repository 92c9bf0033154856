"""The widgets that most parts of this lesson share: sentence, mask, layer, head, who looks."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.encoder.bert import Encoding
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.text.tokens import TokenizedText
from pages.parts.attention_mask.drawing_board import drawn_mask
from pages.shared.caches import cache
from pages.shared.kit.part import Part
from pages.shared.link import inputs


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the learner chose, and what the model computed from it."""

    text: TokenizedText
    mask: str  # an option of the control "kind"
    weights: Float[Tensor, "query key"]  # of the chosen layer and head, as all that follow
    attention_mask: Bool[Tensor, "query key"]
    steps: AttentionSteps | None  # None if the model keeps them
    place: dict[str, Any]  # layer, head and mask, for the line under each figure


def choose_layer(p: Part) -> int:
    """Show the model's layers side by side; return the chosen one, counted from 1."""
    n_layers = cache.model(p.model_name).n_layers
    return int(p.choice("layer", [str(i) for i in range(1, n_layers + 1)]))


def choose_head(p: Part) -> int:
    """Show a layer's heads side by side; return the chosen one, counted from 1."""
    n_heads = cache.model(p.model_name).n_heads
    return int(p.choice("head", [str(i) for i in range(1, n_heads + 1)]))


def choose_mask(p: Part) -> str:
    """Show the masks that the model can have side by side; return the chosen one."""
    has_switch = cache.model(p.model_name).bert is not None
    return p.choice("kind", None if has_switch else ["bidirectional"])


def who_looks(p: Part, tokens: list[str]) -> int:
    """Show the tokens to choose the query from; return its position."""
    return p.position("query", tokens, default=min(2, len(tokens) - 1))


def encode(
    p: Part, text: str, mask: str, *, paints: bool = False
) -> tuple[TokenizedText, Encoding]:
    """Show what a mask needs to be told; return what the model computed under it.

    Where a mask can be painted, the drawing board's buttons stand above it.
    """
    drawn, n_padding = None, 0
    if mask == "padding":
        n_padding = p.slider("padding")
    if mask == "drawn":
        n_tokens = len(cache.encoding(p.model_name, text)[0].tokens)
        drawn = drawn_mask(p, n_tokens, paints=paints)
    tokens, encoding = cache.encoding(
        p.model_name, text, mask == "causal", drawn_mask=drawn, n_padding=n_padding
    )
    inputs.say_what_was_left_out(tokens)
    return tokens, encoding


def choose(p: Part, *, paints: bool = False) -> Setting:
    """Show the widgets; return the choice with the attention that the model computed."""
    text = p.text("text")
    if cache.model(p.model_name).bert is None:
        p.note("no_switch", model=p.model_name)
    with st.container(horizontal=True):
        mask = choose_mask(p)
        layer, head = choose_layer(p), choose_head(p)
    tokens, encoding = encode(p, text, mask, paints=paints)
    steps = encoding.attention[layer - 1].of_head(head - 1) if encoding.attention else None
    weights = encoding.weights[layer - 1][0, head - 1]
    return Setting(
        text=tokens,
        mask=mask,
        weights=weights,
        # A model that keeps its steps also has no mask: it looks everywhere.
        attention_mask=steps.attention_mask if steps else weights >= 0,
        steps=steps,
        place={"layer": layer, "head": head, "mask": p.label(f"mask_{mask}")},
    )
