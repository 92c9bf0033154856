"""Count the classes that forty silent components of v2 leave behind in one run."""

import gc

import streamlit as st

show = st.components.v2.component("silent", html="<i>.</i>", js="export default () => {};")
gc.disable()
before = st.session_state.get("before", 0)
for number in range(40):
    show(key=f"silent_{number}")
dict(st.session_state.to_dict())
now = sum(isinstance(one, type) for one in gc.get_objects())
st.write(f"{now - before} classes more than in the run before")
st.session_state.before = now
st.button("Run again")
