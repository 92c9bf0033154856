"""What a lesson is for and what remains of it: its opening lines, "In short", the next lesson.

The words of a lesson's goals, summary and open questions are in
overview.md of the lesson; core parts and what it builds on are on its row in
lessons.py.
"""

import streamlit as st

from pages.server.course.lessons import BY_SLUG, FAULTS, LESSONS, Lesson
from pages.server.course.words import Words, read_words
from pages.server.frame import presenting


def numbered_title(lesson: Lesson) -> str:
    """Return a lesson's title with its number in the course."""
    return f"{lesson.number} {read_words(lesson.slug).label('title')}"


def show_opening_lines(lesson: Lesson, words: Words) -> None:
    """Show a lesson's number and name, its question and, but for a projector, its lead."""
    st.title(numbered_title(lesson), anchor=False)
    with st.container(key="lesson_question"):
        st.markdown(words.label("question"))
    if not presenting.is_on():
        with st.container(key="opening_lead"):
            st.markdown(words.section("lead"))


def show_goals(lesson: Lesson) -> None:
    """Show what the lesson is for, how long it takes and what it builds on."""
    frame = read_words("frame")
    with st.container(key="opening_goals", gap="xsmall"):
        st.markdown(read_words(f"overview/{lesson.slug}").section("goals"))
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(frame.label("minutes", n=lesson.minutes), width="content")
            if lesson.builds_on:
                st.markdown(f"· {frame.label('builds_on')}", width="content")
            for slug in lesson.builds_on:
                st.page_link(BY_SLUG[slug].file, label=numbered_title(BY_SLUG[slug]))


def show_next_lesson(lesson: Lesson) -> None:
    """Show the way to the next lesson, behind the last one to the course map."""
    frame = read_words("frame")
    number = lesson.number
    assert number is not None  # a page beside the lessons has none, and no next one
    following = next((one for one in LESSONS[number:] if one.slug not in FAULTS), None)
    file = following.file if following else "app.py"
    label = (
        frame.label("next_lesson", title=numbered_title(following))
        if following
        else frame.label("course_map")
    )
    st.page_link(file, label=f"**{label}**", icon=":material/arrow_forward:")
