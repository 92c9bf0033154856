"""Three ways into the app: start or continue the course, teach a class, look something up."""

import streamlit as st

from pages.server.course.lessons import FAULTS, LESSONS, LOOK_IT_UP, TEACHING
from pages.server.course.words import Words, read_words
from pages.server.link.controls import part_key
from pages.server.record.session_record import tally


def show(words: Words) -> None:
    """Show the three doors, the course first."""
    with st.container(horizontal=True, key="home_doors"):
        _course(words)
        for page in (TEACHING, LOOK_IT_UP):
            with st.container(key=f"door_{page.slug}"):
                st.page_link(
                    page.file, label=f"**{words.label(f'door_{page.slug}')}**", icon=page.icon
                )
                st.caption(words.label(f"door_{page.slug}_caption"))


def _course(words: Words) -> None:
    """Lead along the core way: to the first lesson begun on it, else to the first unopened one.

    Where the core way is done in every lesson, to the first one with parts that were not opened.
    """
    done = {lesson: tally(lesson) for lesson in LESSONS if lesson.slug not in FAULTS}
    begun = next((one for one, how in done.items() if how and not how.is_core), None)
    unopened = next((one for one, how in done.items() if how is None), None)
    more = next((one for one, how in done.items() if how and how.next_part), None)
    lesson = begun or unopened or more or LESSONS[0]
    title = read_words(lesson.slug).label("title")
    with st.container(key="door_course"):
        if any(done.values()):
            label, place = "door_go_on", {}
            if how := done[lesson]:
                part = how.next_part if how.is_core else how.next_core
                place = {part_key(lesson.slug): part or "exercises"}
            caption = words.label("door_go_on_caption", number=lesson.number, title=title)
        else:
            label, place = "door_start", {}
            caption = words.label("door_start_caption", title=title, minutes=lesson.minutes)
        st.page_link(
            lesson.file,
            label=f"**{words.label(label)}**",
            icon=":material/play_arrow:",
            query_params=place,
        )
        st.caption(caption)
