"""Why a model predicts what it predicts, for one text with one blank."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text.tokens import tokenize
from pages.shared.caches.cache import model

if TYPE_CHECKING:
    from mlm_core.inside.lens import Lens


# Logits of one position in every layer: 800 kB with the bundled model.
@st.cache_resource(max_entries=32, show_spinner=False)
def lens(model_name: str, text: str, n: int, followed: int | None = None) -> "Lens":
    """Return what the head reads from each layer's state at a text's blank."""
    from mlm_core.inside import lens

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return lens.lens(asked, tokenized, n=n, followed=followed)
