"""What a teacher should know before class, in short."""

import streamlit as st

from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part

SECTIONS = ("before", "learners", "offline", "links", "locks", "seeds", "privacy")


@part
def show(page: Page) -> None:
    """Show one short section after another."""
    for name in SECTIONS:
        st.markdown(f"#### {page.words.label(f'know_{name}')}")
        st.markdown(page.words.section(f"know.{name}"))
