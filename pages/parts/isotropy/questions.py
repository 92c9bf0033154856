"""Questions that learners ask, each answered by something to try."""

import streamlit as st

from pages.parts.isotropy import setting
from pages.parts.isotropy.centring import show_centring
from pages.parts.isotropy.sentence_vectors import show_sentence_vectors
from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.parts import part

QUESTIONS = {"cls": show_sentence_vectors, "centre": show_centring}


@part
def show(page: Page) -> None:
    """Show one question at a time."""
    words = page.words
    titles = {name: words.label(f"question_{name}") for name in QUESTIONS}
    name = inputs.choice(words.label("question_choice"), titles, key="isotropy_question")
    st.markdown(words.section(f"questions.{name}"))
    view = setting.choose(page, with_layer=name != "cls", with_dropped=False)
    QUESTIONS[name](page, view)
