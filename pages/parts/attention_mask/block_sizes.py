"""The sizes of an encoder block, to be changed beside those of the real model."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.messages import translated

if TYPE_CHECKING:
    from mlm_core.encoder.bert import BertConfig

MODELS = "model"  # the option that stands for the model's own size
CHOICES = {
    "hidden": ("hidden_size", (64, 128, 256, 512, 768, 1024)),
    "heads": ("n_heads", (1, 2, 4, 8, 12, 16)),
    "inner": ("intermediate_size", (256, 512, 1024, 2048, 3072, 4096)),
}
MOST_TEXTS = 32


def choose_sizes(page: Page, config: "BertConfig") -> tuple["BertConfig", int]:
    """Return the sizes that the learner chose; the model's own where they make no encoder."""
    words, sizes = page.words, {}
    for name, (field, choices) in CHOICES.items():
        own = getattr(config, field)
        options = {MODELS: words.label("block_same", n=own)}
        options |= {str(size): str(size) for size in choices if size != own}
        chosen = inputs.choice(
            words.label(f"block_{name}"), options, key=f"attention_mask_block_{name}"
        )
        sizes[field] = own if chosen == MODELS else int(chosen)
    batch_size = inputs.slider(
        words.label("block_texts"),
        1,
        MOST_TEXTS,
        1,
        key="attention_mask_block_texts",
    )
    st.button(words.label("block_reset"), on_click=_reset, icon=":material/restart_alt:")
    try:
        return replace(config, **sizes), batch_size
    except ValueError as error:
        st.warning(
            words.section("block.bad_sizes", reason=translated(str(error))), icon=":material/error:"
        )
        return config, batch_size


def _reset() -> None:
    for name in CHOICES:
        inputs.choose(f"attention_mask_block_{name}", MODELS)
    st.session_state["attention_mask_block_texts"] = 1
