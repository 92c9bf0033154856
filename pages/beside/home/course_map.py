"""The course map: one card a lesson, with a picture of what it shows first."""

import functools

import streamlit as st

from mlm_core.figures.classroom.pictures import lesson_picture
from mlm_core.stored.pictures import read_pictures
from pages.beside.home import progress
from pages.server.course.language import read_on
from pages.server.course.lessons import HOME, LESSONS, Lesson
from pages.server.course.words import Words, read_words
from pages.server.figures.clickable import drawing

_pictures = functools.cache(read_pictures)
NAMED_BARS = ("sentence_pairs", "encoders_today")  # lessons whose bars have names in words


def show(words: Words) -> None:
    """Show all lessons in their order."""
    minutes = sum(lesson.minutes for lesson in LESSONS)
    st.subheader(words.label("map", n=len(LESSONS), minutes=minutes), anchor=False)
    with st.container(key="course_map"):
        for lesson in LESSONS:
            with st.container(border=True, key=f"card_{lesson.slug}"):
                _card(lesson, words)
    st.caption(words.section("pictures"))


def _card(lesson: Lesson, words: Words) -> None:
    own = read_words(lesson.slug)
    minutes = words.label("minutes", core=lesson.minutes)
    st.caption(f"**{lesson.number} · {own.label('title')}** · {minutes}")
    st.page_link(lesson.file, label=f"**{own.label('question')}**")
    numbers = _pictures(read_on(HOME)).get(lesson.slug)
    if numbers is not None:
        alt = words.plain(f"picture_{lesson.slug}")
        if lesson.slug in NAMED_BARS:
            numbers = {**numbers, "names": words.plain(f"picture_{lesson.slug}_bars").split(", ")}
        drawing(lesson_picture(lesson.slug, numbers, alt=alt), key=f"picture_{lesson.slug}")
    st.markdown(own.section("card"))
    with st.container(key=f"progress_{lesson.slug}"):
        progress.show(lesson)
