"""The room that a teacher's visit directs.

    /teaching?room=BCDFGH&desk=KEY     opens the desk again, from any machine

The key is taken out of the address when it is read: a projector shows the address to the class.
"""

from dataclasses import dataclass

import streamlit as st

from pages.server import session
from pages.server.classroom.desk import Desk, open_desk
from pages.server.classroom.rooms import Question, RoomNow, RoomRefusedError, read_code
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.core_messages import translated
from pages.server.course.words import as_text, read_words
from pages.server.link import whole_page
from pages.server.process import visits
from pages.server.room import membership
from pages.server.room.browser_memory import TEACHER, remembered
from pages.server.room.server_rooms import asked, server_rooms

IN_LINK = "desk"
SECTIONS = (membership.ENDED, membership.GONE, "wrong_key")  # of room.md


@dataclass
class AtDesk:
    """Whether a visit directs a room, and what is to be said and done of it."""

    mine: Desk | None = None
    key: str = ""
    is_cookie_read: bool = False
    news: str = ""  # to be said to the teacher: one of SECTIONS, or a sentence
    has_left: bool = False  # and the browser has still to forget


def arrive() -> None:
    """Follow a teacher's link to the desk; bring a reloaded page back to it."""
    key, kept = st.query_params.get(IN_LINK), session.of(AtDesk)
    if key is not None:
        code = st.query_params.get(membership.IN_LINK, "")
        for name in (IN_LINK, membership.IN_LINK):
            st.query_params.pop(name, None)
        _open(read_code(code), key)
    elif not kept.is_cookie_read:
        code, key = remembered(TEACHER)
        if read_code(code):
            _open(code, key, quietly=True)
    kept.is_cookie_read = True


def open_room() -> None:
    """Open a room and its desk; what stands in the way is said on the page."""
    kept = session.of(AtDesk)
    kept.news = ""
    try:
        with server_rooms() as rooms:
            code, key = rooms.open(visits.session_id() or "")
    except RoomRefusedError as error:
        kept.news = str(error)
    except StoreGoneError:
        kept.news = membership.GONE
    else:
        membership.leave()
        _open(code, key)


def current() -> Desk | None:
    """Return this visit's desk, if it has one."""
    return session.of(AtDesk).mine


def look() -> RoomNow | None:
    """Return the room that this visit directs, as it is now; None if there is none to be had."""
    mine = current()
    return None if mine is None else asked(lambda _: mine.look())


def revealed_answer(question: Question) -> str | None:
    """Return the class's usual answer to a revealed question, on the page of who directs it."""
    mine = current()
    if mine is None:
        return None
    membership.follow("votes")
    return asked(lambda _: mine.usual_answer(question))


def say(news: str) -> None:
    """Say what is to be said to a learner or a teacher, if anything is."""
    if news:
        section = read_words("room").section
        text = section(news) if news in SECTIONS else as_text(translated(news))
        st.warning(text, icon=":material/groups:")


def let_go(news: str = "") -> None:
    """Forget the desk; the room itself goes on unless it was ended.

    The whole page is drawn next: the part with the button is only one of those that show a desk.
    """
    kept = session.of(AtDesk)
    if kept.mine is not None:
        kept.mine, kept.key, kept.has_left = None, "", True
        kept.news = news or kept.news
        whole_page.want()


def end(mine: Desk) -> None:
    """End the room; the page says so, or that it can't be reached."""
    try:
        with server_rooms():
            mine.end()
    except StoreGoneError:
        session.of(AtDesk).news = membership.GONE
        whole_page.want()
    else:
        let_go(membership.ENDED)


def _open(code: str, key: str, *, quietly: bool = False) -> None:
    kept = session.of(AtDesk)
    kept.news = ""
    try:
        with server_rooms() as rooms:
            kept.mine, kept.key = open_desk(rooms, code, key), key
    except NoSuchRoomError:
        if not quietly:
            kept.news = "wrong_key"
    except StoreGoneError:
        kept.news = membership.GONE
