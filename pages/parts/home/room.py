"""The way into a class's room for learners who have its code and no link."""

import streamlit as st

from mlm_core.classroom.room.rooms import read_code
from pages.shared.course.words import read_words
from pages.shared.frame.page_frame import safely
from pages.shared.room import membership

CODE, NEWS = "home_room_code", "home_room_no_code"
LONGEST_CODE = 20  # characters; with spaces and hyphens between the letters


def show() -> None:
    """Ask for a code, unless the visit is in a room already."""
    if membership.current() is not None:
        return
    words = read_words("room")
    with safely(), st.expander(words.label("join"), icon=":material/groups:"):
        st.markdown(words.section("come_in"))
        with st.form("home_room", border=False):
            st.text_input(words.label("code"), key=CODE, max_chars=LONGEST_CODE, autocomplete="off")
            st.form_submit_button(words.label("join"), on_click=_join, key="home_room_join")
        if st.session_state.pop(NEWS, False):
            st.warning(words.section("no_code"), icon=":material/abc:")


def _join() -> None:
    code = read_code(st.session_state.get(CODE) or "")
    if code:
        membership.join(code)
    else:
        st.session_state[NEWS] = True
