"""Causal and masked language models side by side, property by property."""

import streamlit as st

from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import whole_page

# The parts of this lesson in which a row of the table can be tried.
TRY_IN = ("flow", "cloze", "cost")


@part
def show(page: Page) -> None:
    """Show the table, with the way to the parts where its rows can be tried."""
    words = page.words
    st.markdown(words.section("compare.lead"))
    st.markdown(words.section("compare.table"))
    with st.container(horizontal=True):
        for name in TRY_IN:
            st.button(
                words.label(f"part_{name}"),
                on_click=whole_page.choose,
                args=("attention_mask_part", name),
                key=f"attention_mask_try_{name}",
            )
    st.markdown(words.section("compare.notice"))
