"""The summary of a room as a page to print: every vote, how far the class is, its sentences.

It isn't polled, and stands on the page alone: the print style of page_style.py does the rest.
"""

from datetime import datetime

import streamlit as st

from mlm_core.number_format import formatted
from pages.beside.teaching.room_progress import show_progress
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import SENTENCES
from pages.server.course.lessons import BY_SLUG, CONCEPT_TEST
from pages.server.course.words import as_text, read_words
from pages.server.figures.table import Table
from pages.server.link.controls import part_key
from pages.server.room.server_rooms import server_rooms
from pages.server.room.votes import draw_votes, results_of, title_of

FIGURE_WIDTH = 440  # pixels: two votes or more fit on a sheet


def show(mine: Desk) -> None:
    """Show all that came in until now. Raises NoSuchRoomError, StoreGoneError."""
    words = read_words("room")
    with server_rooms():
        questions = [one for one in reversed(mine.questions()) if one.lesson in BY_SLUG]
        votes = {one.id: mine.tallies(one) for one in questions}
        sent = mine.sent(SENTENCES)
        sentences = [one.said["sentence"] for one in sent if one.state == "accepted"]
        n_learners = mine.n_came()
        st.markdown(f"## {words.label('summary_title', code=mine.code)}")
        st.caption(
            words.section(
                "summary",
                n=formatted(n_learners, ","),
                date=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
            )
        )
        rows = results_of((one, votes[one.id]) for one in questions)
        if rows:
            Table(rows).show()
            st.caption(words.section("results"))
        for number, question in enumerate(questions):
            lesson = read_words(question.lesson).label("title")
            st.markdown(f"### {lesson}: {as_text(title_of(question))}")
            with st.container(width=FIGURE_WIDTH):
                key = f"teaching_room_votes_{number}"
                draw_votes(words, question, votes[question.id], key=key, is_revealed=True)
        st.markdown(f"### {words.label('what_progress')}")
        show_progress(words, mine)
        if sentences:
            st.markdown(f"### {words.label('sentences')}")
            st.markdown("\n".join(f"- {as_text(one)}" for one in sentences))
    st.page_link(
        CONCEPT_TEST.file,
        label=read_words(CONCEPT_TEST.slug).label("of_room"),
        icon=CONCEPT_TEST.icon,
        query_params={part_key(CONCEPT_TEST.slug): "gain"},
    )
    st.caption(words.section("print"))
