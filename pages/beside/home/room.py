"""The way into a class's room for learners who have its code and no link."""

import streamlit as st

from pages.server import session
from pages.server.classroom.rooms import read_code
from pages.server.course.core_messages import translated
from pages.server.course.words import as_text, read_words
from pages.server.frame.page_frame import safely
from pages.server.frame.parts import scroll_into_view
from pages.server.room import membership

CODE = "home_room_code"
REFUSED = "home_room_refused"  # session state: why the last try failed; said once
LONGEST_CODE = 20  # characters; with spaces and hyphens between the letters


def show() -> None:
    """Ask for a code, unless the visit is in a room already."""
    if membership.current() is not None:
        return
    words = read_words("room")
    # The server knows that it is open, so that it stays so where what stands above it goes.
    box = st.expander(
        words.label("join"), icon=":material/groups:", key="home_room_box", on_change="rerun"
    )
    with safely(), box:
        st.markdown(words.section("come_in"))
        with st.form("home_room", border=False):
            st.text_input(words.label("code"), key=CODE, max_chars=LONGEST_CODE, autocomplete="off")
            _say_why_not(st.session_state.pop(REFUSED, None))
            st.form_submit_button(words.label("join"), on_click=_join, key="home_room_join")


def _say_why_not(refused: str | None) -> None:
    """Say under the field what was wrong with the last code."""
    if refused is None:
        return
    if refused in ("no_code", membership.GONE):
        text = read_words("room").section(refused)
    else:
        sentence = translated(refused)  # the core's begin with a small letter
        text = as_text(f"{sentence[0].upper()}{sentence[1:]}.")
    with st.container(key=REFUSED):
        st.warning(text, icon=":material/abc:")
    scroll_into_view(REFUSED)


def _join() -> None:
    code = read_code(st.session_state.get(CODE) or "")
    if code:
        membership.join(code)
    kept = session.of(membership.InRoom)
    news, kept.news = kept.news, ""  # said here instead of above the page
    if kept.mine is None:
        st.session_state[REFUSED] = news if code else "no_code"
