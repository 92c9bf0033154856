"""Predict, then reveal: your word for a blank, before the model's."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import setting, typed
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import may_show_answer
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 6


@part
def show(page: Page) -> None:
    """Ask for a word; show the model's own, with the typed word's probability and rank."""
    words = page.words
    with st.container(border=True):
        st.markdown(words.section("guess.lead"))
        left, right = st.columns([3, 1], gap="medium")
        with left:
            text = typed.blank_sentence(
                page, "guess_sentence", "guess_default", key="prediction_and_loss_cloze"
            )
        with right:
            word = inputs.text(words.label("guess_word"), "", key="prediction_and_loss_word")
        from mlm_core.prediction.fillers import find_blanks

        blanks = find_blanks(text, cache.model(page.model_name).tokenizer)
        if not blanks:
            st.info(words.section("no_blank"), icon=":material/edit:")
            return
        if not word.strip():
            st.caption(words.section("guess.waits"))
            return
        id_ = typed.one_piece(page, word)
        if id_ is None:
            return
        about = {"key": "prediction_and_loss_word", "sentence": text.text}
        if may_show_answer(page, "guess_word", "text", word.strip(), **about):
            _reveal(page, text.text, blanks[0], id_)


def _reveal(page: Page, text: str, blank: int, id_: int) -> None:
    from mlm_core.prediction.fillers import rank_of, top_fillers

    words = page.words
    guesses = cache.fillers(page.model_name, text, blank, N_GUESSES)
    probability, rank = cache.word_at_blank(page.model_name, text, blank, id_)
    name = setting.token_name(page, id_)
    rows = list(guesses) if rank <= N_GUESSES else [*guesses, (name, probability)]
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_drawing(
            bars_svg(
                [word for word, _ in rows],
                [p for _, p in rows],
                longest=max(p for _, p in rows),
                alt=words.plain("guess_alt"),
            ),
            key="prediction_and_loss_guesses",
            table=Table(rows, columns=["token", "probability"]),
            source=words.label("guess_source", model=page.model_name, blank=blank),
        )
    with right:
        key = "guess.best" if rank == 1 else "guess.other"
        st.markdown(
            words.section(
                key,
                word=name,
                rank=formatted(rank, ","),
                one_in=formatted(1 / max(probability, 1e-30), ",.0f"),
            )
        )
    show_source(top_fillers, rank_of, key="prediction_and_loss_guess_code")
