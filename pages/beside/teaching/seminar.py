"""The open questions of all lessons for a seminar, three a lesson; to print or save."""

import streamlit as st

from pages.server.course.lessons import LESSONS
from pages.server.course.words import Words, read_words
from pages.server.frame.overview import numbered_title, questions_of
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part


@part
def show(page: Page) -> None:
    """Save the questions of all lessons, with model answers or without."""
    words = read_words("seminar")
    st.markdown(words.section("lead"))
    with st.container(horizontal=True):
        for kind in ("questions", "answers"):
            st.download_button(
                words.label(f"save_{kind}"),
                as_markdown(words, with_answers=kind == "answers"),
                file_name=f"seminar-{kind}.md",
                mime="text/markdown",
                on_click="ignore",
                icon=":material/print:",
                key=f"teaching_seminar_{kind}",
            )


def as_markdown(words: Words, *, with_answers: bool) -> str:
    """Return the questions of all lessons as a text to print."""
    lines = [f"# {words.plain('title')}", ""]
    for lesson in filter(questions_of, LESSONS):
        lines += [f"## {numbered_title(lesson)}", ""]
        for number, (question, answer) in enumerate(questions_of(lesson), 1):
            lines += [f"{number}. {question}", ""]
            if with_answers:
                lines += [f"   *{words.plain('answer')}:* {answer}", ""]
    return "\n".join(lines).rstrip() + "\n"
