"""Press the button beside a timer: now and then nothing is drawn for a press."""

import time

import streamlit as st


@st.fragment(run_every=0.3)
def timer() -> None:
    """Take a moment each time, so that presses arrive while its run ends."""
    time.sleep(0.05)
    st.caption(f"{time.time():.1f}")


if st.button("Press me thirty times"):
    st.session_state.n = st.session_state.get("n", 0) + 1
st.write("drawn:", st.session_state.get("n", 0))
timer()
