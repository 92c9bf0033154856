"""The room that a learner's visit is in: how it comes in, what it knows of it, how it leaves.

/?room=BCDFGH      joins; the parameter is taken out of the link then
"""

import time
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from pages.server import session
from pages.server.classroom.rooms import RoomNow, RoomRefusedError, read_code
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.process import visits
from pages.server.process.streamlit_patches import part_requests
from pages.server.room.browser_memory import LEARNER, remembered
from pages.server.room.server_rooms import server_rooms

IN_LINK = "room"
SEE_SECONDS = 20.0  # between two notes that the visit is here
ENDED, GONE = "ended", "store_gone"  # sections of room.md


@dataclass
class Membership:
    """What a visit knows of its room."""

    code: str
    visit: str  # random, and known to the room, this session and its browser alone
    seen_at: float  # time.monotonic()
    sent: dict[str, str] = field(default_factory=dict)  # by question and round, the last answer
    # By lesson and label of a question: the id that was answered last, and the answer.
    last: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    # By lesson and label of a question: id and round of the one whose answer is shown; by question
    # and round, the answer and the right one that the room was told.
    shown: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    right: dict[str, tuple[str, str]] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)  # by lesson, what the room was told last
    n_for_encoder: int = 0  # sentences that this page sent for the class's encoder
    blank: str = ""  # the sentence whose blank the encoder was asked for last
    wrong: dict[str, dict[str, str]] = field(default_factory=dict)  # by lesson and exercise


@dataclass
class InRoom:
    """Whether a visit is in a room, and what is to be said and done of it."""

    mine: Membership | None = None
    is_cookie_read: bool = False
    news: str = ""  # to be said to the learner: a section of room.md, or a sentence
    has_left: bool = False  # and the browser has still to forget
    # Ids of the parts of the page that show something of the room, by what they show.
    parts: dict[str, set[str | None]] = field(default_factory=dict)


def arrive() -> None:
    """Follow a link into a room; bring a reloaded page back into the one it was in."""
    asked, kept = st.query_params.get(IN_LINK), session.of(InRoom)
    if asked is not None:
        del st.query_params[IN_LINK]
        if not is_member(code := read_code(asked)):
            join(code)
    elif not kept.is_cookie_read:
        code, visit = remembered(LEARNER)
        if read_code(code):
            join(code, visit, quietly=True)
    kept.is_cookie_read = True


def join(code: str, visit: str = "", *, quietly: bool = False) -> None:
    """Enter a room; what stands in the way is said on the page, unless `quietly`."""
    if not visit:
        same_room, before = remembered(LEARNER)
        visit = before if same_room == code else ""
    kept = session.of(InRoom)
    kept.news = ""
    try:
        with server_rooms() as rooms:
            visit = rooms.join(code, visits.session_id() or "", visit)
    except RoomRefusedError as error:
        if not quietly:
            kept.news = str(error)
    except StoreGoneError:
        kept.news = GONE
    else:
        kept.mine = Membership(code=code, visit=visit, seen_at=time.monotonic())


def take_news() -> str:
    """Return what stood in the way of the last `join`, which the page then doesn't say."""
    kept = session.of(InRoom)
    news, kept.news = kept.news, ""
    return news


def leave() -> None:
    """Leave the room. What was answered stays; lessons are as they are alone."""
    kept = session.of(InRoom)
    if kept.mine is not None:
        kept.mine, kept.has_left = None, True


def current() -> Membership | None:
    """Return this visit's membership, if it has one."""
    return session.of(InRoom).mine


def is_member(code: str) -> bool:
    """Return whether this visit is in this very room."""
    mine = current()
    return mine is not None and mine.code == code


def follow(what: Literal["votes", "boxes", "map", "test", "own", "questions"]) -> None:
    """Let what is drawn now, a part or else the page, be drawn again when this changes."""
    session.of(InRoom).parts.setdefault(what, set()).add(part_requests.current())


def is_reached() -> bool:
    """Return whether this visit is in a room that could be reached when it was asked last."""
    return current() is not None and session.of(InRoom).news != GONE


def look() -> RoomNow | None:
    """Return the room as it is now, and note that the visit is here.

    None if it is in no room, or if the room can't be reached: then the lesson goes on alone.
    """
    kept, mine = session.of(InRoom), current()
    if mine is None:
        return None
    try:
        with server_rooms() as rooms:
            room = rooms.look(mine.code)
            if time.monotonic() - mine.seen_at > SEE_SECONDS:
                rooms.see(mine.code, mine.visit)
                mine.seen_at = time.monotonic()
    except NoSuchRoomError:
        leave()
        kept.news = ENDED
    except (StoreGoneError, RoomRefusedError):
        kept.news = GONE
    else:
        if kept.news == GONE:
            kept.news = ""
        return room
    return None
