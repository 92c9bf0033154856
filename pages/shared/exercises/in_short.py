"""The part "in short" of every lesson: its summary, with numbers that are computed here.

The words are the section "in_short" of overview.md of the lesson.
"""

import importlib
from collections.abc import Mapping

import streamlit as st

from pages.shared.course.words import read_words
from pages.shared.exercises.own_words import show_card, show_explain
from pages.shared.frame.overview import questions_of
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import offer_notebook
from pages.shared.record import tab_memory


def in_short_of(slug: str) -> Mapping[str, object]:
    """Return the numbers of a lesson's summary: the function `in_short` of its computed.py."""
    return importlib.import_module(f"pages.parts.{slug}.computed").in_short()


@part
def show(page: Page) -> None:
    """Show the lesson's summary, its open questions, its evidence card and its notebook."""
    words = read_words(f"overview/{page.lesson.slug}")
    with st.spinner(read_words("frame").label("working")):
        numbers = in_short_of(page.lesson.slug)
    st.markdown(words.section("in_short", **numbers))
    for question, answer in questions_of(page.lesson):
        with st.expander(question, icon=":material/help:"):
            st.markdown(answer)
    show_explain(page)
    show_card(page)
    offer_notebook(page.lesson)
    tab_memory.keep_of_part("in_short")
