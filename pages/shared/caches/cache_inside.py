"""Why a model predicts what it predicts, for one text with one blank."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text.tokens import tokenize
from pages.shared.caches.cache import long_work_lock, model

if TYPE_CHECKING:
    from mlm_core.inside.attribution import IntegratedGradients
    from mlm_core.inside.lens import Lens


# Logits of one position in every layer: 800 kB with the bundled model.
@st.cache_resource(max_entries=32, show_spinner=False)
def lens(model_name: str, text: str, n: int, followed: int | None = None) -> "Lens":
    """Return what the head reads from each layer's state at a text's blank."""
    from mlm_core.inside import lens

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return lens.lens(asked, tokenized, n=n, followed=followed)


# Some floats a text. One at a time: a hundred passes forwards and backwards.
@st.cache_data(max_entries=256, show_spinner=False)
def integrated_gradients(model_name: str, text: str, token: int) -> "IntegratedGradients":
    """Return each word's part in log P of a token at a text's blank."""
    from mlm_core.inside import attribution

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    with long_work_lock():
        return attribution.integrated_gradients(asked, tokenized, token)


@st.cache_data(max_entries=256, show_spinner=False)
def occlusion(model_name: str, text: str, token: int) -> tuple[float, ...]:
    """Return by how much log P of a token at a text's blank falls without each word."""
    from mlm_core.inside import attribution

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return attribution.occlusion(asked, tokenized, token)
