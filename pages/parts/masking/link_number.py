"""Numbers without a widget of their own, kept in the session and in the link."""

import streamlit as st


def put(key: str, value: int) -> None:
    """Set a number from a callback."""
    st.session_state[key] = value


def read(key: str, default: int) -> int:
    """Return a number that is kept in the link without a widget of its own."""
    if key not in st.session_state:
        asked = st.query_params.get(key, "")
        is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
        st.session_state[key] = int(asked) if is_number else default
    keep(key, st.session_state[key], default)
    return st.session_state[key]


def keep(key: str, value: int, default: int) -> None:
    """Keep a number for the next rerun, and in the link unless it is the usual one."""
    st.session_state[key] = value
    if value == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != str(value):
        st.query_params[key] = str(value)
