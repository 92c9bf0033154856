"""Values that clicks and buttons change: a drawn mask, dice, marks; in the link like any widget.

Such a value is a text, in the session and in the link alike; its part reads it. What a link fixes
(locks.py) is drawn with the link's value, and no click or button changes it. Pages take these
functions from inputs.py.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.server.course.words import read_words
from pages.server.link import binding, link_values, locks

LAST_NUMBER = 9_999  # of a counter


def drawn(label: str, usual: str | None, *, key: str, longest: int | None = None) -> str | None:
    """Return a text that clicks and buttons change; a fixed one is named, with the reason.

    It is the link's on arrival, then the session's; `usual` where neither has one.
    """
    text = drawn_value(key, usual, longest=longest)
    binding.draw(binding.no_widget, label, key=key)
    return text


def drawn_value(key: str, usual: str | None, *, longest: int | None = None) -> str | None:
    """Return the same text where its part has named it already, or in a callback."""
    return binding.begin(key, usual, link_values.text_up_to(longest))


def counter(label: str, usual: int, *, key: str) -> int:
    """Return a whole number that clicks and buttons change."""
    read = link_values.numbers_between(min(usual, 0), LAST_NUMBER, usual)
    return binding.bound(binding.no_widget, label, usual, read, key=key)


def keep(key: str, text: str, usual: str | None) -> None:
    """Keep such a text as its part has read it, in the link unless it is the usual one."""
    if not locks.is_fixed(key):
        st.session_state[key] = text
        link_values.write(key, text, usual)


def reset(key: str) -> None:
    """Let a control be as usual again."""
    if not _refuses(key):
        st.session_state.pop(key, None)
        link_values.put(key, ())


def choose(key: str, name: str | int) -> bool:
    """Set a control from elsewhere, such as a click.

    Returns whether it is set. A fixed one says that it is fixed.
    """
    if _refuses(key):
        return False
    binding.forget_link(key)
    st.session_state[key] = name
    return True


def button(label: str, *, changes: Sequence[str], disabled: bool = False, **settings: Any) -> bool:
    """Show a button that sets values of the link; return whether it was pressed.

    It is off if one of them is locked, away if one is hidden.
    """
    if any(map(locks.is_hidden, changes)):
        return False
    fixed = any(map(locks.is_fixed, changes))
    return st.button(label, disabled=disabled or fixed, **settings)


def _refuses(key: str) -> bool:
    if locks.is_fixed(key):
        st.toast(read_words("frame").section("is_fixed"), icon=binding.LOCKED_ICON)
    return locks.is_fixed(key)
