"""Each move of the slider is an entry of the browser's history: move it, then press Back."""

import streamlit as st

START = int(st.query_params.get("n", 0))


def note() -> None:
    """Write the slider's value into the link."""
    st.query_params["n"] = str(st.session_state.n)


st.slider("Move me five times, then press Back once", 0, 100, START, key="n", on_change=note)
