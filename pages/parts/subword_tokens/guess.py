"""Predict, then reveal: how many pieces does your surname become?"""

import streamlit as st

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.text.tokens import tokenize
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

MOST = 6  # the last choice stands for this many and more


@part
def show(page: Page) -> None:
    """Ask for a name and a guess; show the cut only when both are there."""
    words = page.words
    with st.container(border=True):
        st.markdown(words.section("guess.lead", model=page.model_name))
        left, right = st.columns(2, gap="medium")
        with left:
            name = inputs.text(words.label("surname"), "", key="subword_tokens_surname")
        with right:
            options = {str(n): f"{n}+" if n == MOST else str(n) for n in range(1, MOST + 1)}
            guess = ask_for_guess(
                page, "surname", options, key="subword_tokens_guess", is_told=False
            )
        name = name.strip()
        if not name or guess is None:
            st.caption(words.label("guess_waits"))
            return
        cut = tokenize(cache.model_tokenizer(page.model_name), name)
        n = setting.n_pieces(cut)
        is_right = guess == str(min(n, MOST))
        st.markdown(
            words.section(
                "guess.right" if is_right else "guess.wrong",
                name=name,
                n=n,
                guess=options[guess],
                pieces=" ".join(token.text for token in cut.tokens if token.word is not None),
            )
        )
        rows = [(setting.short(page.model_name), cut)]
        rows += [(a, tokens) for a, tokens, _ in setting.cut_by_all(name, setting.current().size)]
        show_drawing(
            cuts_html(name, setting.labelled(rows), alt=words.plain("cuts_alt")),
            key="subword_tokens_name_cuts",
            table=lambda: setting.table_of(rows),
            source=words.label("guess_source", model=page.model_name),
        )
