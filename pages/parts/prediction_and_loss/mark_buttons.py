"""Buttons that choose places all at once."""

import streamlit as st

from pages.parts.prediction_and_loss import marks, setting
from pages.shared import inputs
from pages.shared.frame import Page


def show_buttons(page: Page) -> None:
    """Show the buttons that choose places for the learner: by chance, none, or the book's."""
    words = page.words
    inputs.drawn(words.label("marks"), None, key=marks.KEY)
    with st.container(horizontal=True):
        inputs.button(
            words.label("draw_marks"),
            changes=marks.KEY,
            on_click=_draw_marks,
            args=(page,),
            icon=":material/casino:",
            key="prediction_and_loss_draw",
        )
        inputs.button(
            words.label("clear_marks"),
            changes=marks.KEY,
            on_click=set_marks,
            args=({},),
            key="prediction_and_loss_clear",
        )
        inputs.button(
            words.label("figure_marks"),
            changes=(marks.KEY, setting.TEXT),
            on_click=_back_to_figure,
            args=(page,),
            icon=":material/restart_alt:",
            key="prediction_and_loss_figure",
        )


def set_marks(chosen: dict[int, str]) -> None:
    """Keep the marks, unless the link fixes them."""
    inputs.choose(marks.KEY, marks.write(chosen))


def _draw_marks(page: Page) -> None:
    text = setting.sentence(page)
    if marks.may_be_chosen(text):
        set_marks(marks.drawn(text, marks.next_draw()))


def _back_to_figure(page: Page) -> None:
    st.session_state[setting.TEXT] = page.words.plain("default_sentence")
    inputs.reset(marks.KEY)
