"""Choose fewer lines: beside a timer the lines of before stay on the page."""

import time

import streamlit as st


@st.fragment(run_every=0.1)
def timer() -> None:
    """Ask for a run while the other fragment is drawn."""
    st.caption(f"{time.time():.1f}")


@st.fragment
def part() -> None:
    """Draw as many lines as are chosen."""
    n = st.radio("How many lines", [20, 3], horizontal=True)
    time.sleep(0.5)  # longer than the timer waits
    for line in range(n):
        st.text(f"line {line + 1} of {n}")


timer()
part()
