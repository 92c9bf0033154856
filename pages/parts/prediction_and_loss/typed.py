"""What learners type: a sentence with [MASK] in it, and a word that fits one blank."""

import streamlit as st

from mlm_core.text.tokens import TokenizedText, role_token, tokenize
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs


def blank_sentence(page: Page, label: str, default: str, *, key: str) -> TokenizedText:
    """Show a line for a sentence with [MASK] in it; return its tokens."""
    model = cache.model(page.model_name)
    typed = inputs.text(page.words.label(label), page.words.plain(default), key=key)
    typed = typed.replace("[MASK]", role_token(model.tokenizer, "[MASK]"))
    text = tokenize(model.tokenizer, typed, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(text)
    return text


def one_piece(page: Page, word: str) -> int | None:
    """Return the id of a typed word; None, and the reason, if no single token is that word."""
    from mlm_core.prediction.fillers import word_tokens

    pieces = word_tokens(cache.model_tokenizer(page.model_name), word)
    if len(pieces) == 1 and not pieces[0].is_special:
        return pieces[0].id
    if len(pieces) > 1:
        shown = " ".join(piece.text for piece in pieces[:8])
        st.info(
            page.words.section("word.pieces", word=word.strip(), n=len(pieces), pieces=shown),
            icon=":material/content_cut:",
        )
    else:
        st.info(page.words.section("word.unknown", word=word.strip()), icon=":material/help:")
    return None
