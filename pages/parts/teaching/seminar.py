"""Open questions for a seminar, three a lesson, with model answers; to show, print or save."""

import streamlit as st

from pages.shared.course.lessons import BY_SLUG, LESSONS, Lesson
from pages.shared.course.words import Words, read_words
from pages.shared.frame.overview import numbered_title
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

N_QUESTIONS = 3


@part
def show(page: Page) -> None:
    """Show one lesson's questions, each with its answer folded; save those of all lessons."""
    words = read_words("seminar")
    st.markdown(words.section("lead"))
    titles = {lesson.slug: numbered_title(lesson) for lesson in LESSONS}
    slug = inputs.listed(words.label("lesson"), titles, key="teaching_seminar_lesson")
    lesson = BY_SLUG[slug]
    for number, (question, answer) in enumerate(questions_of(lesson), 1):
        st.markdown(f"**{number}.** {question}")
        with st.expander(words.label("answer"), icon=":material/lightbulb:"):
            st.markdown(answer)
    st.page_link(lesson.file, label=titles[slug], icon=lesson.icon)
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


def questions_of(lesson: Lesson) -> list[tuple[str, str]]:
    """Return a lesson's open questions with their model answers."""
    words = read_words(f"overview/{lesson.slug}")
    return [
        (words.section(f"question_{number}"), words.section(f"answer_{number}"))
        for number in range(1, N_QUESTIONS + 1)
    ]


def as_markdown(words: Words, *, with_answers: bool) -> str:
    """Return the questions of all lessons as a text to print."""
    lines = [f"# {words.plain('title')}", ""]
    for lesson in LESSONS:
        lines += [f"## {numbered_title(lesson)}", ""]
        for number, (question, answer) in enumerate(questions_of(lesson), 1):
            lines += [f"{number}. {question}", ""]
            if with_answers:
                lines += [f"   *{words.plain('answer')}:* {answer}", ""]
    return "\n".join(lines).rstrip() + "\n"
