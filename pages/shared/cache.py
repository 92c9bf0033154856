"""Every cache of the app, keyed by names and text, each with a bound.

What is cached here is shared by all visitors: nobody may change it after it was made. Torch
is imported inside the functions, so that a page paints its words before it pays for torch.
"""

import gc
import logging
import threading
from typing import TYPE_CHECKING

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.text import corpora
from mlm_core.text.tokens import (
    Algorithm,
    TokenizedText,
    load_tokenizer,
    pad,
    tokenize,
    train_tokenizer,
)

logger = logging.getLogger("mlm_app")

if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.encoder.pretrained import MaskedLanguageModel
    from mlm_core.text.cutting import LearntMerge


def model(name: str) -> "MaskedLanguageModel":
    """Return a model, loaded once for all visitors. Raises ModelUnavailableError."""
    return _bundled_model() if name == BUNDLED else _other_model(name)


@st.cache_resource(show_spinner=False)
def _bundled_model() -> "MaskedLanguageModel":
    return _load(BUNDLED)


# One at a time beside the bundled one: bert-base alone is 440 MB in float32.
@st.cache_resource(max_entries=1, show_spinner=False)
def _other_model(name: str) -> "MaskedLanguageModel":
    return _load(name)


def _load(name: str) -> "MaskedLanguageModel":
    from mlm_core.encoder import pretrained

    loaded = pretrained.load(name)
    # Streamlit collects garbage over the whole heap after every run; what is frozen is skipped.
    gc.collect()
    gc.freeze()
    return loaded


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Load the bundled model in the background, once a server, while the first page is read."""

    def load() -> None:
        try:
            model(BUNDLED)
        except ValueError:
            logger.exception("the bundled model can't be loaded")  # each page will say so too

    thread = threading.Thread(target=load, daemon=True, name="warm-up")
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def measuring_lock() -> threading.Lock:
    """Return the one lock of this server for whoever times something: one at a time."""
    return threading.Lock()


@st.cache_resource(show_spinner=False)
def bundled_tokenizer() -> Tokenizer:
    """Return the bundled model's tokenizer without its model, which torch would load."""
    return load_tokenizer(BUNDLED_FOLDER)


def model_tokenizer(name: str) -> Tokenizer:
    """Return a model's own tokenizer, without torch for the bundled one."""
    return bundled_tokenizer() if name == BUNDLED else model(name).tokenizer


@st.cache_resource(max_entries=32, show_spinner=False)
def encoding(
    model_name: str,
    text: str,
    causal: bool = False,
    drawn_mask: str | None = None,
    n_padding: int = 0,
    max_tokens: int | None = None,
) -> tuple[TokenizedText, "Encoding"]:
    """Return a text's tokens and everything the model computed on the way to its states.

    `drawn_mask` is a mask as drawn_masks.py writes it; `n_padding` tokens of padding follow
    the text, and nobody looks at them unless a drawn mask says so. The text is cut to the
    model's window, or to `max_tokens` if that is less.
    """
    import torch

    from mlm_core.encoder.attention import padding_mask
    from mlm_core.encoder.drawn_masks import mask_from_text

    chosen = model(model_name)
    room = min(max_tokens or chosen.max_tokens, chosen.max_tokens - n_padding)
    tokenized = tokenize(chosen.tokenizer, text, max_tokens=room)
    may_attend = None
    if n_padding:
        tokenized = pad(tokenized, chosen.tokenizer, n_padding)
        n_real = len(tokenized.tokens) - n_padding
        may_attend = padding_mask(torch.arange(len(tokenized.tokens)) < n_real)
    if drawn_mask is not None:
        may_attend = mask_from_text(drawn_mask, len(tokenized.tokens))
    return tokenized, chosen.encode(tokenized, causal=causal, may_attend=may_attend, record=True)


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
    from mlm_core.pretraining.fillers import top_fillers

    chosen = model(model_name)
    tokenized = tokenize(chosen.tokenizer, text, max_tokens=chosen.max_tokens)
    may_attend = None if drawn_mask is None else mask_from_text(drawn_mask, len(tokenized.tokens))
    logits = chosen.vocabulary_logits(tokenized, causal=causal, may_attend=may_attend)
    return tuple(
        # Some models have more rows than their tokenizer has tokens.
        (chosen.tokenizer.id_to_token(filler.id) or f"row {filler.id}", filler.probability)
        for filler in top_fillers(logits[blank], n)
    )


@st.cache_resource(max_entries=48, show_spinner=False)
def trained_tokenizer(algorithm: Algorithm, vocabulary_size: int, text: str | None) -> Tokenizer:
    """Return a tokenizer trained on the learner's text, or on our own sentences if None."""
    lines = corpora.sentences() if text is None else text.splitlines()
    return train_tokenizer(algorithm, lines, vocabulary_size)


@st.cache_data(max_entries=8, show_spinner=False)
def first_merges(n_merges: int, text: str | None) -> tuple["LearntMerge", ...]:
    """Return the first merges that BPE learns, from the learner's text or from our sentences."""
    from mlm_core.text import cutting

    lines = corpora.sentences() if text is None else tuple(text.splitlines())
    words = cutting.count_words(trained_tokenizer("BPE", 8000, text), lines)
    return cutting.first_merges(words, n_merges)
