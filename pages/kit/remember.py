"""What a lesson works out and keeps, and the models that it asks: for its computed.py.

    @remembered(256)  # some kilobytes each
    def lens(model_name: str, text: str) -> ReadByLayer: ...

What is kept is shared by all visitors, so nobody may change it. It is found by the arguments;
an argument whose name begins with `_` doesn't count. The bound is how many results are kept.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from mlm_core.text.tokens import TokenizedText, tokenize
from pages.server.caches.cache import (
    HashFuncs,
    encoding,
    head_of,
    long_work_lock,
    model,
    model_tokenizer,
)
from pages.server.course.language import read_on, reader
from pages.server.course.words import read_examples, read_words
from pages.server.process.helper_process import Work

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel

__all__ = [
    "Work",
    "encoding",
    "head_of",
    "long_work_lock",
    "model",
    "model_tokenizer",
    "read",
    "read_examples",
    "read_on",
    "read_words",
    "reader",
    "remembered",
]
Function = TypeVar("Function", bound=Callable)


def remembered(most: int, *, by_hash: Sequence[type] = ()) -> Callable[[Function], Function]:
    """Keep the last `most` results of a function.

    Arguments of the types `by_hash` are compared by hash(), not by all that is in them.
    """
    hash_funcs: HashFuncs = dict.fromkeys(by_hash, hash)
    return st.cache_resource(max_entries=most, show_spinner=False, hash_funcs=hash_funcs)


def read(model_name: str, text: str) -> "tuple[MaskedLanguageModel, TokenizedText]":
    """Return a model, and a text's tokens as it reads them, cut to its window."""
    asked = model(model_name)
    return asked, tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
