"""Whole numbers kept in the session and in the link, with or without a field to change them.

Streamlit's own binding of a number field fails on a link that says 1e999, so these are bound
here.
"""

import streamlit as st


def field(
    label: str, lowest: int, highest: int, default: int, *, key: str, help: str | None = None
) -> int:
    """Show a number field; return its number."""
    st.session_state[key] = min(max(_asked(key, default), lowest), highest)
    value = st.number_input(
        label, lowest, highest, key=key, help=help, persist_state="session", step=1
    )
    _write(key, value, default)
    return value


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
    _write(key, value, default)


def _asked(key: str, default: int) -> int:
    """Return what the session says, or else the link, or else the default."""
    kept = st.session_state.get(key)
    if kept is not None:
        return kept
    asked = st.query_params.get(key, "")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
    return int(asked) if is_number else default


def _write(key: str, value: int, default: int) -> None:
    if value == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != str(value):
        st.query_params[key] = str(value)
