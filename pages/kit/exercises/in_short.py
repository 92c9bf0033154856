"""The part "in short" of every lesson: its summary, with numbers that are computed here.

The words are the section "in_short" of overview.md of the lesson.
"""

from collections.abc import Mapping

import streamlit as st

from pages.kit.exercises.own_words import show_card, show_explain
from pages.server.course.lessons import computed_of
from pages.server.course.words import questions_of, read_words
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.frame.source import offer_notebook
from pages.server.record import tab_memory


def in_short_of(slug: str) -> Mapping[str, object]:
    """Return the numbers of a lesson's summary: the function `in_short` of its computed.py."""
    computed = computed_of(slug)
    return computed.in_short() if computed and hasattr(computed, "in_short") else {}


@part
def show(page: Page) -> None:
    """Show the lesson's summary, its open questions, its evidence card and its notebook."""
    words = read_words(f"overview/{page.lesson.slug}")
    with st.spinner(read_words("frame").label("working")):
        numbers = in_short_of(page.lesson.slug)
    st.markdown(words.section("in_short", **numbers))
    for question, answer in questions_of(page.lesson.slug):
        with st.expander(question, icon=":material/help:"):
            st.markdown(answer)
    show_explain(page)
    show_card(page)
    offer_notebook(page.lesson)
    tab_memory.keep_of_part("in_short")
