"""Home: one guess by the model, and the course map. `make run`, or `streamlit run app.py`."""

import importlib

import streamlit as st

from pages.parts.home import progress, record, room
from pages.shared.course.lessons import BESIDE, LESSONS
from pages.shared.course.words import read_words
from pages.shared.frame.page_frame import home_page

with home_page() as words:
    st.title(words.label("question"), anchor=False)
    st.markdown(words.section("lead"))
    room.show()
    guess = st.container()
    for lesson in (*LESSONS, *BESIDE):
        lesson_words = read_words(lesson.slug)
        with st.container(border=True, key=f"card_{lesson.slug}"):
            st.page_link(
                lesson.file, label=f"**{lesson_words.label('question')}**", icon=lesson.icon
            )
            st.markdown(lesson_words.section("card"))
            progress.show(lesson)
    record.show()
    st.markdown(words.section("after"))
    with guess:  # last, so that the map is there before torch is
        importlib.import_module("pages.parts.home.guess").show(words)
