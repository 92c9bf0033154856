"""How learners come into the room, and what holds for the whole room."""

from urllib.parse import urlencode

import streamlit as st

from mlm_core.figures.classroom.qr_code import qr_svg
from pages.beside.teaching.address import address, ask_address
from pages.server import session
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import SENTENCES
from pages.server.course.lessons import TEACHING
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.frame import presenting
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.link import whole_page
from pages.server.link.controls import part_key
from pages.server.room import collecting, desk, membership

JOINING = "teaching_room_join"  # the switch of how learners come in


@part
def show(page: Page) -> None:
    """Show code, link and QR code, and the settings of the room."""
    words, mine = read_words("room"), desk.current()
    if mine is None:
        return
    if presenting.is_on():
        _project(page, words, mine)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"# {_in_halves(mine.code)}")
        is_joining = _join_switch(words)
        collecting.room_switch(words, mine, "waits", lambda room: room.waits, mine.keep_answers)
        collecting.show_switch(words, mine, SENTENCES)
        collecting.show_test_switch(words, mine)
        if not is_joining:
            return
        here = ask_address(page)
        link = _link(here, mine)
        st.caption(words.label("join_link"))
        st.code(link, language=None, wrap_lines=True)
        with st.popover(words.label("desk_link"), icon=":material/key:", type="tertiary"):
            st.markdown(words.section("desk_link_why"))
            asked = {
                part_key(TEACHING.slug): "room",
                membership.IN_LINK: mine.code,
                desk.IN_LINK: session.of(desk.AtDesk).key,
            }
            own = f"{here}{TEACHING.slug}?{urlencode(asked)}"
            st.code(own, language=None, wrap_lines=True)
    with right:
        drawing(qr_svg(link, alt=words.plain("qr_alt", link=link)), key="teaching_room_qr")
    st.caption(words.section("kept"))
    st.caption(words.section("how_to_offer"))


def _project(page: Page, words: Words, mine: Desk) -> None:
    """Show code, address and QR code as large as a projector can, and the switch below."""
    if st.session_state.get(JOINING, True):
        link = _link(address(page), mine)
        left, right = st.columns(2, gap="medium", vertical_alignment="center")
        with left, st.container(key="room_code"):
            st.title(_in_halves(mine.code), anchor=False)
            st.markdown(as_text(link))
        with right:
            drawing(qr_svg(link, alt=words.plain("qr_alt", link=link)), key="teaching_room_qr")
    _join_switch(words)


def _join_switch(words: Words) -> bool:
    return st.toggle(
        words.label("show_join"),
        value=True,
        key=JOINING,
        on_change=whole_page.want,
        persist_state="session",
    )


def _link(here: str, mine: Desk) -> str:
    return f"{here}?{urlencode({membership.IN_LINK: mine.code})}"


def _in_halves(code: str) -> str:
    """Return a code as it is read aloud: BCDF GHJK."""
    return f"{code[:4]} {code[4:]}"
