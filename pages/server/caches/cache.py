"""Every cache of the app, keyed by names and text, each with a bound.

What is cached here is shared by all visitors: nobody may change it after it was made. Torch
is imported inside the functions, so that a page paints its words before it pays for torch.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDERS
from mlm_core.text.tokens import (
    TokenizedText,
    load_tokenizer,
    pad,
    tokenize,
)
from pages.server.caches import own_models
from pages.server.process import page_turns, process_memory, visits

logger = logging.getLogger("mlm_app")


if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.encoder.language_model import MaskedLanguageModel

HashFuncs = dict[str | type[Any], Callable[[Any], Any]]  # as Streamlit takes them


def model(name: str) -> "MaskedLanguageModel":
    """Return a model: the learner's own, or one that is loaded once for all visitors.

    Raises ModelUnavailableError.
    """
    own = own_models.get(name)
    if own is not None:
        return own
    if name == BUNDLED:
        return _bundled_model()
    if name in BUNDLED_FOLDERS:
        return _reader(name)
    with _other_model_lock:
        return _other_model(name)


@st.cache_resource(show_spinner=False)
def _bundled_model() -> "MaskedLanguageModel":
    return _load(BUNDLED)


# The bundled models that not every visit reads with, 55 MB each; let go of when nobody is there.
@st.cache_resource(max_entries=len(BUNDLED_FOLDERS), show_spinner=False)
def _reader(name: str) -> "MaskedLanguageModel":
    return _load(name)


# One at a time beside the bundled ones: bert-base alone is 440 MB in float32. Without the lock
# several could look for memory and load at the same moment, each for itself.
_other_model_lock = threading.Lock()


@st.cache_resource(max_entries=1, show_spinner=False)
def _other_model(name: str) -> "MaskedLanguageModel":
    return _load(name)


@st.cache_data(max_entries=16, show_spinner=False)
def head_of(name: str) -> str:
    """Return "trained", "untrained" or "none": what a model's masked-language head is."""
    from mlm_core.prediction.untrained_head import head_loss

    chosen = model(name)
    if not getattr(chosen, "has_language_head", True):
        return "none"
    try:
        return "untrained" if head_loss(chosen).is_untrained else "trained"
    except ValueError:
        return "trained"  # no sign for a hidden word: the parts that need one say so


def _load(name: str) -> "MaskedLanguageModel":
    from pages.server.process.model_choice import load_allowed

    loaded = load_allowed(name)
    process_memory.settle()
    return loaded


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Load the bundled model in the background, once a server, while the first page is read."""
    return _loads_in_background(BUNDLED)


@st.cache_resource(max_entries=len(BUNDLED_FOLDERS), show_spinner=False)
def warm_up_reader(name: str) -> threading.Thread:
    """Load another bundled model in the background, once for those who read with it."""
    return _loads_in_background(name)


def _loads_in_background(name: str) -> threading.Thread:
    def load() -> None:
        try:
            model(name)
        except ValueError:
            logger.exception("a bundled model can't be loaded")  # each page will say so too

    # No daemon, whichever thread asks: a process that ends while torch loads in one is aborted.
    thread = threading.Thread(target=load, daemon=False, name="warm-up")
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def long_work_lock() -> page_turns.LongWork:
    """Return the lock of whoever reads many sentences or trains a tokenizer: one at a time.

    Either takes a processor for some tenths of a second, and memory; page threads have the rest.
    """
    return page_turns.LongWork(visits.tab, page_turns.taken)


@st.cache_resource(show_spinner=False)
def bundled_tokenizer() -> Tokenizer:
    """Return the bundled model's tokenizer without its model, which torch would load."""
    return load_tokenizer(BUNDLED_FOLDERS[BUNDLED])


@st.cache_resource(max_entries=len(BUNDLED_FOLDERS), show_spinner=False)
def _readers_tokenizer(name: str) -> Tokenizer:
    return load_tokenizer(BUNDLED_FOLDERS[name])


def model_tokenizer(name: str) -> Tokenizer:
    """Return a model's own tokenizer, without torch for a bundled one."""
    if name == BUNDLED:
        return bundled_tokenizer()
    return _readers_tokenizer(name) if name in BUNDLED_FOLDERS else model(name).tokenizer


# Few: with every step of twelve layers, a text that fills the window takes 22 MB, a usual one 1.3.
# Not fewer: a page of the lesson on attention asks for seven, which six worked out at every look.
@st.cache_resource(max_entries=12, show_spinner=False)
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
    attention_mask = None
    if n_padding:
        tokenized = pad(tokenized, chosen.tokenizer, n_padding)
        n_real = len(tokenized.tokens) - n_padding
        attention_mask = padding_mask(torch.arange(len(tokenized.tokens)) < n_real)
    if drawn_mask is not None:
        attention_mask = mask_from_text(drawn_mask, len(tokenized.tokens))
    return tokenized, chosen.encode(
        tokenized, causal=causal, attention_mask=attention_mask, record=True
    )


# What exercises work out for all learners alike: two megabytes at most, mostly a few numbers.
@st.cache_resource(max_entries=96, show_spinner=False)
def remembered(name: str, _make: Callable[[], Any]) -> Any:
    """Return what was made earlier under a name, which says all that it depends on."""
    return _make()
