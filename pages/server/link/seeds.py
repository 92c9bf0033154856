"""The number that a learner's chance comes from: the same for a class, or each their own.

seed=4711        the same exercises for all who follow the link
seed=own         each visit draws a number of its own, for exercises and for every lesson's
own seed; the lessons that train keep theirs, because equal runs are shared
seed=own-4711    the same, drawn already: so it stands in a learner's link and stays
"""

import re
import secrets

import streamlit as st

from pages.server.course.lessons import LESSONS
from pages.server.link.controls import controls_of

IN_LINK = "seed"
EXERCISES = "exercise_seed"  # session state: the number of this visit's exercises
OWN = "own_seed"  # session state: the number of this learner, if the link gives each one
OWN_IN_LINK = "own"
MOST_DIGITS = 9

_OWN = re.compile(rf"{OWN_IN_LINK}(?:-(\d{{1,{MOST_DIGITS}}}))?", re.ASCII)
_NUMBER = re.compile(rf"(?:{OWN_IN_LINK}-)?(\d{{1,{MOST_DIGITS}}})", re.ASCII)


def arrive(slug: str) -> None:
    """Follow what the link says of seeds; a number of one's own goes from page to page."""
    asked = st.query_params.get(IN_LINK)
    of_own = _OWN.fullmatch(asked or "")
    if of_own:
        drawn = int(of_own[1]) if of_own[1] else st.session_state.get(OWN) or draw()
        if drawn != st.session_state.get(OWN):
            st.session_state[OWN] = drawn
            _forget_what_was_chosen()
    elif number_of(asked) is not None:
        st.session_state.pop(OWN, None)
    own = st.session_state.get(OWN)
    # New numbers that were asked for in this lesson are not taken back.
    is_free = asked is None and key_of(slug) not in st.session_state
    if own is not None and (of_own or is_free):
        st.query_params[IN_LINK] = f"{OWN_IN_LINK}-{own}"


def own() -> int | None:
    """Return this learner's own number, or None where the link asks for none."""
    return st.session_state.get(OWN)


def key_of(slug: str) -> str:
    """Return where the session has the seed of a lesson's exercises, if it has one of its own."""
    return f"{slug}_exercise_seed"


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
