"""Home: a sentence to play with, three doors, and the course map. `make run`."""

import importlib

import streamlit as st

from pages.parts.home import course_map, doors, record, room
from pages.shared.frame.page_frame import home_page

with home_page() as words:
    st.title(words.label("question"), anchor=False)
    st.markdown(words.section("lead"))
    guess = st.container(border=True, key="home_try")
    doors.show(words)
    room.show()
    course_map.show(words)
    record.show()
    st.markdown(words.section("after"))
    with guess:  # last, so that the map is there before the tokenizer is
        importlib.import_module("pages.parts.home.guess").show(words)
