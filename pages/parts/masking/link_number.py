"""Whole numbers kept in the session and in the link, which buttons and clicks change."""

import streamlit as st

from pages.shared.link import link_values


def put(key: str, value: int) -> None:
    """Set a number from a callback."""
    st.session_state[key] = value


def read(key: str, default: int) -> int:
    """Return a number that has no field of its own."""
    value = _asked(key, default)
    keep(key, value, default)
    return value


def keep(key: str, value: int, default: int) -> None:
    """Keep a number for the next rerun, and in the link unless it is the usual one."""
    st.session_state[key] = value
    link_values.write(key, value, default)


def _asked(key: str, default: int) -> int:
    """Return what the session says, or else the link, or else the default."""
    kept = st.session_state.get(key)
    if kept is not None:
        return kept
    asked = st.query_params.get(key, "")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
    return int(asked) if is_number else default
