"""The widgets that most parts of this lesson share: sentence, mask, layer, head, who looks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text.tokens import TokenizedText
from pages.parts.attention_mask import drawing_board
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.attention import AttentionSteps
    from mlm_core.encoder.bert import Encoding
    from mlm_core.shapes import Bool, Float, Tensor

MASKS = ("causal", "bidirectional", "padding", "drawn")
MOST_PADDING = 6
SENTENCE, LAYER, HEAD = "attention_mask_text", "attention_mask_layer", "attention_mask_head"
QUERY = "attention_mask_query"
# Where the bundled model's attention is spread over several tokens; many heads of higher
# layers give nearly all of it to one.
FIRST_LAYER, FIRST_HEAD = "1", "4"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the learner chose, and what the model computed from it."""

    text: TokenizedText
    mask: str  # one of MASKS
    layer: int  # from 1
    head: int  # from 1
    weights: "Float[Tensor, 'query key']"
    attention_mask: "Bool[Tensor, 'query key']"
    steps: "AttentionSteps | None"  # of this layer, all heads; None if the model keeps them
    source: str  # the line under each figure


def sentence(page: Page) -> str:
    """Show the line for the learner's own sentence."""
    return inputs.text(
        page.words.label("sentence"), page.words.label("default_sentence"), key=SENTENCE
    )


def choose_layer(page: Page) -> int:
    """Show the model's layers side by side; return the chosen one, counted from 1."""
    names = {str(i): str(i) for i in range(1, cache.model(page.model_name).n_layers + 1)}
    return int(inputs.choice(page.words.label("layer"), names, key=LAYER, default=FIRST_LAYER))


def choose_head(page: Page) -> int:
    """Show a layer's heads side by side; return the chosen one, counted from 1."""
    names = {str(i): str(i) for i in range(1, cache.model(page.model_name).n_heads + 1)}
    return int(inputs.choice(page.words.label("head"), names, key=HEAD, default=FIRST_HEAD))


def choose_mask(page: Page, default: str) -> str:
    """Show the masks side by side; return the chosen one of MASKS."""
    masks = MASKS if cache.model(page.model_name).bert else ("bidirectional",)
    return inputs.choice(
        page.words.label("mask"),
        {name: page.words.label(f"mask_{name}") for name in masks},
        key="attention_mask_kind",
        default=default,
    )


def encode(
    page: Page, text: str, mask: str, *, paints: bool = False
) -> "tuple[TokenizedText, Encoding]":
    """Show what a mask needs to be told; return what the model computed under it.

    Where a mask can be painted, the drawing board's buttons stand above it.
    """
    words, n_padding = page.words, 0
    if mask == "padding":
        n_padding = inputs.slider(
            words.label("n_padding"),
            1,
            MOST_PADDING,
            3,
            key="attention_mask_padding",
        )
    drawn = None
    if mask == "drawn":
        n_tokens = len(cache.encoding(page.model_name, text)[0].tokens)
        drawn = drawing_board.drawn_mask(page, n_tokens, paints=paints)
    tokens, encoding = cache.encoding(
        page.model_name, text, mask == "causal", drawn_mask=drawn, n_padding=n_padding
    )
    inputs.say_what_was_left_out(tokens)
    return tokens, encoding


def choose(page: Page, *, paints: bool = False) -> Setting:
    """Show the widgets; return the choice with the attention that the model computed."""
    words = page.words
    text = sentence(page)
    if cache.model(page.model_name).bert is None:
        st.info(words.section("no_switch", model=page.model_name), icon=":material/info:")
    with st.container(horizontal=True):
        mask = choose_mask(page, "causal")
        layer, head = choose_layer(page), choose_head(page)
    tokens, encoding = encode(page, text, mask, paints=paints)
    n_tokens = len(tokens.tokens)
    steps = encoding.attention[layer - 1] if encoding.attention else None
    weights = encoding.weights[layer - 1][0, head - 1]
    return Setting(
        text=tokens,
        mask=mask,
        layer=layer,
        head=head,
        weights=weights,
        # A model that keeps its steps also has no mask: it looks everywhere.
        attention_mask=steps.attention_mask.reshape(-1, n_tokens, n_tokens)[0]
        if steps
        else weights >= 0,
        steps=steps,
        source=words.label(
            "source",
            model=page.model_name,
            mask=words.label(f"mask_{mask}"),
            layer=layer,
            head=head,
        ),
    )


def who_looks(page: Page, setting: Setting) -> int:
    """Show the tokens to choose the query from; return its position."""
    names = setting.text.texts
    return inputs.position(
        page.words.label("query"), names, key=QUERY, default=min(2, len(names) - 1)
    )
