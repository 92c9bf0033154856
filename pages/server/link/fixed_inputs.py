"""What a widget is when the link fixes it: its value, its title, and why."""

import streamlit as st

from pages.server.course.words import read_words
from pages.server.link import link_values, locks

LOCKED_ICON = ":material/lock:"


def fixed_value(
    key: str, default: link_values.Value, read: link_values.Reader[link_values.Value]
) -> link_values.Value:
    """Return a fixed control's value, which the link gives on every run, and keep it."""
    asked = locks.value_of(key)
    value = read(asked) if asked else default
    if asked and value is None:
        if key not in locks.here().told:
            locks.here().told.add(key)
            link_values.say_impossible(key, asked[-1])
    value = default if value is None else value
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    locks.write(key, asked)
    return value


def title_of(label: str, key: str) -> str:
    """Return a widget's title, which says so if it can't be used.

    In words: a screen reader would spell the name of an icon out.
    """
    return f"{label} ({read_words('frame').label('locked')})" if locks.is_fixed(key) else label


def explained(help: str | None, key: str) -> str | None:
    """Return a widget's help, with the reason why it can't be used."""
    if not locks.is_fixed(key):
        return help
    return "\n\n".join(filter(None, (read_words("frame").section("is_fixed"), help)))
