"""Every layer and head of the model at once, on the learner's sentence."""

import streamlit as st

from mlm_core.figures.encoder.heads import heads_svg
from pages.parts.attention_mask.setting import HEAD, LAYER, choose_mask, encode, sentence
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import table_of_heads
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
        table=lambda: table_of_heads(weights, tokens.texts),
        source=words.label("heads_source", model=page.model_name, mask=words.label(f"mask_{mask}")),
        on_click=_open,
    )
    st.markdown(words.section("heads.notice"))


def _open(value: str) -> None:
    layer, _, head = value.partition(",")
    inputs.choose(LAYER, str(int(layer) + 1))
    inputs.choose(HEAD, str(int(head) + 1))
    whole_page.choose("attention_mask_part", "flow")
