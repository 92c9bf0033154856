"""Values that clicks and buttons change: a drawn mask, dice, marks; in the link like any widget.

Such a value is a text, in the session and in the link alike; its part reads it. What a link fixes
(locks.py) is drawn with the link's value, and no click or button changes it. Pages take these
functions from inputs.py.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.server.course.words import read_words
from pages.server.link import link_values, locks
from pages.server.link.fixed_inputs import LOCKED_ICON, explained, fixed_value, title_of

LINKED = "parameters_of_link"  # session state: those that still have to be followed


def drawn(label: str, usual: str | None, *, key: str, longest: int | None = None) -> str | None:
    """Return a text that clicks and buttons change; a fixed one is named, with the reason.

    It is the link's on arrival, then the session's; `usual` where neither has one.
    """
    if locks.is_fixed(key) and not locks.is_hidden(key):
        st.caption(title_of(label, key), help=explained(None, key))
    return drawn_value(key, usual, longest=longest)


def drawn_value(key: str, usual: str | None, *, longest: int | None = None) -> str | None:
    """Return the same text where its part has named it already, or in a callback."""
    if locks.is_fixed(key):
        return fixed_value(key, usual, lambda values: values[-1][:longest])
    if is_asked(key) or st.session_state.get(key) is None:
        st.session_state.get(LINKED, set()).discard(key)
        asked = st.query_params.get(key)
        st.session_state[key] = usual if asked is None else asked[:longest]
    return st.session_state[key]


def keep(key: str, text: str, usual: str | None) -> None:
    """Keep such a text as its part has read it, in the link unless it is the usual one."""
    if locks.is_fixed(key):
        return
    st.session_state[key] = text
    link_values.write(key, text, usual)


def reset(key: str) -> None:
    """Let such a text be the usual one again."""
    if not _refuses(key):
        st.session_state.pop(key, None)
        st.query_params.pop(key, None)


def choose(key: str, name: str | int) -> bool:
    """Set a choice, position, number or drawn text from elsewhere, such as a click.

    Returns whether it is set. A fixed one says that it is fixed.
    """
    if _refuses(key):
        return False
    st.session_state.get(LINKED, set()).discard(key)
    st.session_state[key] = name
    return True


def button(
    label: str, *, changes: str | Sequence[str], disabled: bool = False, **settings: Any
) -> bool:
    """Show a button that sets values of the link; return whether it was pressed.

    It is off if one of them is locked, away if one is hidden.
    """
    keys = (changes,) if isinstance(changes, str) else changes
    if any(locks.is_hidden(key) for key in keys):
        return False
    fixed = any(locks.is_fixed(key) for key in keys)
    return st.button(label, disabled=disabled or fixed, **settings)


def is_asked(key: str) -> bool:
    """Return whether the link that led here names this key, and nobody has followed it yet."""
    return key in st.session_state.get(LINKED, ())


def _refuses(key: str) -> bool:
    if locks.is_fixed(key):
        st.toast(read_words("frame").section("is_fixed"), icon=LOCKED_ICON)
    return locks.is_fixed(key)
