"""What a lesson is for: its opening lines, its goals, and the next lesson."""

import streamlit as st

from pages.server.course.lessons import FAULTS, LESSONS, Lesson
from pages.server.course.words import Words, read_words
from pages.server.frame import presenting, reading


def numbered_title(lesson: Lesson) -> str:
    """Return a lesson's title with its number in the course."""
    return f"{lesson.number} {read_words(lesson.slug).label('title')}"


def show_opening_lines(lesson: Lesson, words: Words, model_name: str) -> None:
    """Show a lesson's name, what it reads, its question and, but for a projector, its lead."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_title"):
        st.title(numbered_title(lesson), anchor=False, width="content")
        reading.show_line(lesson.slug, model_name)
    with st.container(key="lesson_question"):
        st.markdown(words.label("question"))
    if not presenting.is_on():
        with st.container(key="opening_lead"):
            st.markdown(words.section("lead"))


def show_goals(lesson: Lesson) -> None:
    """Show what the lesson is for."""
    with st.container(key="opening_goals"):
        st.markdown(read_words(f"overview/{lesson.slug}").section("goals"))


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
