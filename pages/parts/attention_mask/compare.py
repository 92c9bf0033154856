"""Causal and masked language models side by side, property by property."""

import streamlit as st

from pages.shared.kit.part import Part, part
from pages.shared.link import whole_page

# The parts of this lesson in which a row of the table can be tried.
TRY_IN = ("flow", "cloze", "cost")


@part()
def show(p: Part) -> None:
    """Show the table, with the way to the parts where its rows can be tried."""
    p.say("lead")
    p.say("table")
    with st.container(horizontal=True):
        for name in TRY_IN:
            st.button(
                p.label(f"part_{name}"),
                on_click=whole_page.choose,
                args=(p.key("part"), name),
                key=p.key(f"try_{name}"),
            )
    p.say("notice")
