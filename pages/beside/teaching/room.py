"""A class in one room: open one, and direct it from the desk.

The desk is polled. It stands beside the other fragments and not inside one: each rerun of an
outer fragment would draw the inner one, too.
"""

import streamlit as st

from pages.beside.teaching import room_desk, room_end, room_invite, room_map, room_summary
from pages.beside.teaching.room_looks import is_looked_at
from pages.server import session
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.words import read_words
from pages.server.frame import presenting
from pages.server.frame.page_frame import Page, safely
from pages.server.link import inputs
from pages.server.room import desk, membership

LOOK_SECONDS = 1.0


def show(page: Page) -> None:
    """Offer to open a room, or show the desk of the one that this visit directs."""
    words = read_words("room")
    kept = session.of(desk.AtDesk)
    desk.say(kept.news)
    kept.news = ""
    if kept.mine is None:
        st.markdown(words.section("lead"))
        st.caption(words.section("kept"))
        st.button(
            words.label("open"),
            on_click=desk.open_room,
            type="primary",
            icon=":material/groups:",
            key="teaching_room_open",
        )
        return
    if presenting.is_on():
        _show_to_class(page)
        return
    above = st.container()
    titles = {name: words.label(f"what_{name}") for name in room_desk.WHAT}
    what = inputs.choice(words.label("what"), titles, key=room_desk.SHOWN)
    is_live = what != room_desk.SUMMARY
    if is_live:  # nobody comes in by a code on paper
        with above:
            room_invite.show(page)
    if what == room_desk.OUR_MAP:
        room_map.show(page)
    _draw_desk(what, polls=is_looked_at() and is_live)
    room_end.show(page)


def _show_to_class(page: Page) -> None:
    """Show what a projector shows: how learners come in, or the newest question and its votes."""
    if not st.session_state.get("teaching_room_join", True):
        _draw_desk(room_desk.PROJECTED, polls=is_looked_at())
    room_invite.show(page)


def _draw_desk(what: str, *, polls: bool) -> None:
    st.fragment(_desk, run_every=LOOK_SECONDS if polls else None)(what)


def _desk(what: str) -> None:
    words = read_words("room")
    with safely():
        try:
            if (mine := desk.current()) is not None:
                if what == room_desk.SUMMARY:
                    room_summary.show(mine)
                else:
                    room_desk.show(mine, what)
                return
        except NoSuchRoomError:
            desk.let_go(membership.ENDED)
        except StoreGoneError:
            st.warning(words.section(membership.GONE), icon=":material/cloud_off:")
            return
    st.rerun()  # the page without a desk
