"""The room that a teacher's visit directs.

    /teaching?room=BCDFGH&desk=KEY     opens the desk again, from any machine

The key is taken out of the address when it is read: a projector shows the address to the class.
"""

import streamlit as st

from pages.server.classroom.desk import Desk, open_desk
from pages.server.classroom.rooms import Question, RoomNow, RoomRefusedError, read_code
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.process import visits
from pages.server.room import membership
from pages.server.room.browser_memory import TEACHER, remembered
from pages.server.room.server_rooms import server_rooms

IN_LINK = "desk"
# Session state: the desk and its key; whether the cookie was read; what is to be said; whether the
# browser has still to forget.
KEPT, KEY, CAME = "room_desk", "room_desk_key", "room_desk_came"
NEWS, LEFT = "room_desk_news", "room_desk_left"


def arrive() -> None:
    """Follow a teacher's link to the desk; bring a reloaded page back to it."""
    key = st.query_params.get(IN_LINK)
    if key is not None:
        code = st.query_params.get(membership.IN_LINK, "")
        for name in (IN_LINK, membership.IN_LINK):
            st.query_params.pop(name, None)
        _open(read_code(code), key)
    elif CAME not in st.session_state:
        code, key = remembered(TEACHER)
        if read_code(code):
            _open(code, key, quietly=True)
    st.session_state[CAME] = True


def open_room() -> None:
    """Open a room and its desk; what stands in the way is said on the page."""
    st.session_state.pop(NEWS, None)
    try:
        with server_rooms() as rooms:
            code, key = rooms.open(visits.session_id() or "")
    except RoomRefusedError as error:
        st.session_state[NEWS] = str(error)
    except StoreGoneError:
        st.session_state[NEWS] = membership.GONE
    else:
        membership.leave()
        _open(code, key)


def current() -> Desk | None:
    """Return this visit's desk, if it has one."""
    return st.session_state.get(KEPT)


def look() -> RoomNow | None:
    """Return the room that this visit directs, as it is now; None if there is none to be had."""
    mine = current()
    try:
        with server_rooms():
            return None if mine is None else mine.look()
    except (NoSuchRoomError, StoreGoneError):
        return None  # the teacher's bar says it


def revealed_answer(question: Question) -> str | None:
    """Return the class's usual answer to a revealed question, on the page of who directs it."""
    mine = current()
    if mine is None:
        return None
    membership.follow("votes")
    try:
        with server_rooms():
            return mine.usual_answer(question)
    except (NoSuchRoomError, StoreGoneError):
        return None


def key() -> str:
    """Return the key of this visit's desk."""
    return st.session_state[KEY]


def let_go(news: str = "") -> None:
    """Forget the desk; the room itself goes on unless it was ended."""
    if st.session_state.pop(KEPT, None) is not None:
        st.session_state.pop(KEY, None)
        st.session_state[LEFT] = True
        if news:
            st.session_state[NEWS] = news


def end(mine: Desk) -> None:
    """End the room; the page says so, or that it can't be reached."""
    try:
        with server_rooms():
            mine.end()
    except StoreGoneError:
        st.session_state[NEWS] = membership.GONE
    else:
        let_go(membership.ENDED)


def news() -> str | None:
    """Return, once, what there is to say of the desk: a section of its words, or a sentence."""
    return st.session_state.pop(NEWS, None)


def _open(code: str, key: str, *, quietly: bool = False) -> None:
    st.session_state.pop(NEWS, None)
    try:
        with server_rooms() as rooms:
            st.session_state[KEPT] = open_desk(rooms, code, key)
            st.session_state[KEY] = key
    except NoSuchRoomError:
        if not quietly:
            st.session_state[NEWS] = "wrong_key"
    except StoreGoneError:
        st.session_state[NEWS] = membership.GONE
