"""Documents as sentences, and how many tokens these have."""

import streamlit as st

from mlm_core.text import corpora
from pages.server.caches.cache import model_tokenizer


def documents(text: str | None, language: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return the learner's documents, or for None ours of a language, each as its sentences."""
    from mlm_core.text.sentences import split_documents

    return corpora.documents(language) if text is None else split_documents(text)


@st.cache_data(max_entries=32, show_spinner=False)
def sentence_lengths(
    model_name: str, text: str | None, language: str = "en"
) -> tuple[tuple[int, ...], ...]:
    """Return the tokens of each sentence of each document, the learner's or (None) our own."""
    tokenizer = model_tokenizer(model_name)
    return tuple(
        tuple(
            len(sentence.ids)
            for sentence in tokenizer.encode_batch(list(document), add_special_tokens=False)
        )
        for document in documents(text, language)
    )
