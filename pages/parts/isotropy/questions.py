"""Questions that learners ask, each answered by something to try."""

import streamlit as st

from pages.parts.isotropy import setting
from pages.parts.isotropy.centring import show_centring
from pages.parts.isotropy.sentence_vectors import show_sentence_vectors
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

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
