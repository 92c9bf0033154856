"""Whether the teacher's browser shows the page: a desk in a hidden tab isn't polled."""

import streamlit as st

from pages.server.process.browser_code import code_of

KEY, KEPT = "teaching_room_looks", "teaching_room_hidden"

_looks = st.components.v2.component(
    "mlm_looks",
    html="<span></span>",
    js=code_of(__file__, "room_looks.js"),
)


def is_looked_at() -> bool:
    """Return whether the tab is in front, as far as the browser told."""

    def report() -> None:
        st.session_state[KEPT] = _is_true(st.session_state[KEY].hidden)

    _looks(key=KEY, on_hidden_change=report)
    return not st.session_state.get(KEPT, False)


def _is_true(told: object) -> bool:
    """Return what a browser told, which can be anything."""
    return told is True
