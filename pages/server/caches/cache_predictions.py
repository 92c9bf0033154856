"""What the model predicts, in each lesson's way."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.text.tokens import TokenizedText, tokenize
from pages.server.caches.cache import model

if TYPE_CHECKING:
    from mlm_core.prediction.whole_way import WholeWay


@st.cache_data(max_entries=128, show_spinner=False)
def fillers(
    model_name: str,
    text: str,
    blank: int,
    n: int,
    causal: bool = False,
    drawn_mask: str | None = None,
) -> tuple[tuple[str, float], ...]:
    """Return the model's likeliest tokens at position `blank` of a text, with probabilities."""
    from mlm_core.encoder.drawn_masks import mask_from_text
    from mlm_core.prediction.fillers import top_fillers

    chosen = model(model_name)
    tokenized = tokenize(chosen.tokenizer, text, max_tokens=chosen.max_tokens)
    attention_mask = (
        None if drawn_mask is None else mask_from_text(drawn_mask, len(tokenized.tokens))
    )
    logits = chosen.vocabulary_logits(tokenized, causal=causal, attention_mask=attention_mask)
    return tuple(
        # Some models have more rows than their tokenizer has tokens.
        (chosen.tokenizer.id_to_token(filler.id) or f"row {filler.id}", filler.probability)
        for filler in top_fillers(logits[blank], n)
    )


@st.cache_data(max_entries=128, show_spinner=False)
def word_at_blank(model_name: str, text: str, blank: int, id_: int) -> tuple[float, int]:
    """Return a token's probability and rank at a position of a text."""
    from mlm_core.prediction.fillers import rank_of

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    logits = asked.vocabulary_logits(tokenized)[blank]
    return logits.softmax(dim=-1)[id_].item(), rank_of(logits, id_)


# One position's vectors in every layer, and its logits: 200 kB with the bundled model.
@st.cache_resource(max_entries=64, show_spinner=False)
def way_of_token(model_name: str, text: str, position: int) -> tuple[TokenizedText, "WholeWay"]:
    """Return a text with [MASK] at a position, and what becomes of the token there."""
    from mlm_core.prediction.masked_words import hide
    from mlm_core.prediction.whole_way import whole_way

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    seen = hide(tokenized, [position], asked.tokenizer)
    return seen, whole_way(asked, seen, position)
