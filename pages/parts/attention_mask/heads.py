"""Every layer and head of the model at once, on the learner's sentence."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from mlm_core.figures.encoder.heads import heads_svg
from pages.parts.attention_mask.setting import HEAD, LAYER, choose_mask, encode, sentence
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, whole_page

# Pixels; a deep model's heads are drawn smaller, so that all fit on a screen or two.
WIDE, NARROW, DEEP = 150, 100, 6


@part
def show(page: Page) -> None:
    """Draw all heads' weights side by side, under either mask; a click opens one."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("heads.lead"))
    text = sentence(page)
    mask = choose_mask(page, "bidirectional")
    tokens, encoding = encode(page, text, mask)
    weights = [layer[0].numpy() for layer in encoding.weights]
    show_drawing(
        heads_svg(
            weights,
            layer_word=words.label("layer"),
            head_word=words.label("head"),
            widest=NARROW if model.n_layers > DEEP else WIDE,
            alt=words.plain("heads_alt", layers=model.n_layers, heads=model.n_heads),
        ),
        key="attention_mask_heads",
        table=lambda: _table(weights, tokens.texts),
        source=words.label("heads_source", model=page.model_name, mask=words.label(f"mask_{mask}")),
        on_click=_open,
    )
    st.markdown(words.section("heads.notice"))


def _open(value: str) -> None:
    layer, _, head = value.partition(",")
    inputs.choose(LAYER, str(int(layer) + 1))
    inputs.choose(HEAD, str(int(head) + 1))
    whole_page.choose("attention_mask_part", "flow")


def _table(weights: Sequence[np.ndarray], names: list[str]) -> Table:
    """Return all weights, a line for each query: one for each weight would be hundreds of MB."""
    return Table(
        [
            [i + 1, k + 1, j, names[j], *row]
            for i, layer in enumerate(weights)
            for k, head in enumerate(layer)
            for j, row in enumerate(head.tolist())
        ],
        ["layer", "head", "query", "query_token", *(f"{j} {key}" for j, key in enumerate(names))],
    )
