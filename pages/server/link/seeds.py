"""The number that a learner's chance comes from: the same for a class, or each their own.

seed=4711        the same exercises for all who follow the link
seed=own         each visit draws a number of its own, for exercises and for every lesson's
own seed; the lessons that train keep theirs, because equal runs are shared
seed=own-4711    the same, drawn already: so it stands in a learner's link and stays
"""

import re
import secrets
from dataclasses import dataclass, field

import streamlit as st

from pages.server import session
from pages.server.course.lessons import LESSONS
from pages.server.link.controls import controls_of

IN_LINK = "seed"
OWN_IN_LINK = "own"
MOST_DIGITS = 9

_OWN = re.compile(rf"{OWN_IN_LINK}(?:-(\d{{1,{MOST_DIGITS}}}))?", re.ASCII)
_NUMBER = re.compile(rf"(?:{OWN_IN_LINK}-)?(\d{{1,{MOST_DIGITS}}})", re.ASCII)


@dataclass
class Seeds:
    """The numbers of a visit."""

    exercises: int | None = None
    own: int | None = None  # this learner's, if the link gives each one
    of_lessons: dict[str, int] = field(default_factory=dict)  # where new numbers were asked for


def arrive(slug: str) -> None:
    """Follow what the link says of seeds; a number of one's own goes from page to page."""
    asked, visit = st.query_params.get(IN_LINK), session.of(Seeds)
    of_own = _OWN.fullmatch(asked or "")
    if of_own:
        drawn = int(of_own[1]) if of_own[1] else visit.own or draw()
        if drawn != visit.own:
            visit.own = drawn
            _forget_what_was_chosen()
    elif number_of(asked) is not None:
        visit.own = None
    # New numbers that were asked for in this lesson are not taken back.
    is_free = asked is None and slug not in visit.of_lessons
    if visit.own is not None and (of_own or is_free):
        st.query_params[IN_LINK] = f"{OWN_IN_LINK}-{visit.own}"


def own() -> int | None:
    """Return this learner's own number, or None where the link asks for none."""
    return session.of(Seeds).own


def number_of(asked: str | None) -> int | None:
    """Return the number that a link asks for, or None.

    >>> number_of("4711"), number_of("own-4711"), number_of("own"), number_of("1e9")
    (4711, 4711, None, None)
    """
    found = _NUMBER.fullmatch(asked or "")
    return int(found[1]) if found else None


def start(usual: int, lowest: int, highest: int) -> int:
    """Return what a lesson's seed starts with: the usual number, or one from the learner's own."""
    number = own()
    if number is None:
        return usual
    if lowest <= number <= highest:
        return number
    return lowest + number % (highest - lowest + 1)


def draw() -> int:
    """Return a number nobody chose, short enough to be said aloud."""
    return 1000 + secrets.randbelow(9000)


def _forget_what_was_chosen() -> None:
    """Let every lesson's seed start anew, but for one that this very link gives."""
    for lesson in LESSONS:
        for control in controls_of(lesson.slug).values():
            if control.is_seed and control.key not in st.query_params:
                st.session_state.pop(control.key, None)
