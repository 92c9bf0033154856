"""A part that changes what stands outside of it: the whole page is drawn, not the part alone.

    st.button(..., on_click=whole_page.choose, args=("model", BUNDLED))

A part reruns by itself. A callback that changes a widget or a state of the opening, of another
part or of the sidebar says so here; the part that was to be drawn alone asks, and gives way.
"""

from dataclasses import dataclass

import streamlit as st

from pages.server import session
from pages.server.link import inputs


@dataclass
class WholePage:
    """Whether the next run has to draw the whole page."""

    is_wanted: bool = False


def want() -> None:
    """Let the next run draw the whole page, whichever part's callback this is."""
    session.of(WholePage).is_wanted = True


def choose(key: str, name: str) -> None:
    """Set a choice or position that stands outside of the part with the button or drawing."""
    if inputs.choose(key, name):
        want()


def is_drawn() -> None:
    """Note that the whole page is being drawn."""
    session.of(WholePage).is_wanted = False


def draw_if_wanted() -> None:
    """Draw the whole page if a callback wanted it. Only a part that runs alone comes here so."""
    if session.of(WholePage).is_wanted:
        is_drawn()
        st.rerun()
