"""Move the slider quickly: beside the timer the number below it sometimes stays behind."""

import time

import streamlit as st


def timer() -> None:
    """Draw something all the time."""
    st.caption(f"{time.time():.1f}")


def part() -> None:
    """Draw twenty elements that all show the slider's value."""
    n = st.slider("Move me", 0, 1000)
    for line in range(20):
        st.text(f"{n}, line {line}")


st.fragment(timer, run_every=0.1)(), st.fragment(part)()
