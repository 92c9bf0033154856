"""What a lesson is for and what remains of it: its opening lines, "In short", the next lesson.

The words of a lesson's goals, summary and open questions are in
pages/text/<language>/overview/<lesson>.md; core parts, minutes and what it builds on are on its
row in lessons.py.
"""

import streamlit as st

from pages.shared.course.lessons import BY_SLUG, LESSONS, Lesson
from pages.shared.course.words import Words, read_words
from pages.shared.frame import presenting


def numbered_title(lesson: Lesson) -> str:
    """Return a lesson's title with its number in the course."""
    return f"{lesson.number} {read_words(lesson.slug).label('title')}"


def show_opening_lines(lesson: Lesson, words: Words) -> None:
    """Show number, name, question and lead, and beside them what the lesson is for.

    They stand side by side, so that the lesson's first figure is in view on a laptop. A projector
    shows the first two alone.
    """
    if presenting.is_on():
        _show_title(lesson, words)
        return
    left, right = st.columns([2, 1], gap="medium")
    with left:
        _show_title(lesson, words)
        with st.container(key="opening_lead"):
            st.markdown(words.section("lead"))
    with right, st.container(key="opening_goals", gap="xsmall"):
        _show_goals(lesson)


def _show_title(lesson: Lesson, words: Words) -> None:
    st.title(numbered_title(lesson), anchor=False)
    with st.container(key="lesson_question"):
        st.markdown(words.label("question"))


def _show_goals(lesson: Lesson) -> None:
    frame = read_words("frame")
    st.markdown(read_words(f"overview/{lesson.slug}").section("goals"))
    minutes = {"core": lesson.minutes_core, "all": lesson.minutes_all}
    st.markdown(frame.label("minutes", **minutes))
    if lesson.builds_on:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(frame.label("builds_on"), width="content")
            for slug in lesson.builds_on:
                st.page_link(BY_SLUG[slug].file, label=numbered_title(BY_SLUG[slug]))


def show_next_lesson(lesson: Lesson) -> None:
    """Show the way to the next lesson, behind the last one to the course map."""
    frame = read_words("frame")
    number = lesson.number
    assert number is not None  # a page beside the lessons has none, and no next one
    following = LESSONS[number] if number < len(LESSONS) else None
    file = following.file if following else "app.py"
    label = (
        frame.label("next_lesson", title=numbered_title(following))
        if following
        else frame.label("course_map")
    )
    st.page_link(file, label=f"**{label}**", icon=":material/arrow_forward:")
