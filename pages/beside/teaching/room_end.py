"""The end of a room: what is saved before, and how it ends."""

import streamlit as st

from pages.beside.teaching.room_progress import rows_of
from pages.server import session
from pages.server.classroom.desk import Desk, Tally
from pages.server.classroom.rooms import Question
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.words import read_words
from pages.server.figures.table import Table
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.room import desk, membership
from pages.server.room.server_rooms import server_rooms
from pages.server.room.votes import named_counts, results_of, title_of


@part
def show(page: Page) -> None:
    """Offer to save what came in, and to end the room."""
    words, mine = read_words("room"), desk.current()
    if mine is None:
        return
    st.divider()
    with st.container(horizontal=True):
        opened = st.popover(
            words.label("save"),
            icon=":material/save:",
            key="teaching_room_save",
            on_change="rerun",
        )
        with st.popover(words.label("end"), icon=":material/stop_circle:"):
            st.markdown(words.section("end_sure"))
            st.button(
                words.label("end_sure"),
                on_click=_end,
                args=(mine,),
                type="primary",
                key="teaching_room_end",
            )
        st.button(
            words.label("let_go"),
            on_click=desk.let_go,
            type="tertiary",
            key="teaching_room_let_go",
        )
    if opened.open:
        with opened:
            _offer_files(mine)


def _offer_files(mine: Desk) -> None:
    words = read_words("room")
    try:
        with server_rooms():
            votes = [(question, mine.tallies(question)) for question in mine.questions()]
            progress = rows_of(mine.progress())
    except (NoSuchRoomError, StoreGoneError):
        st.warning(words.section(membership.GONE), icon=":material/cloud_off:")
        return
    tables = {"results": results_of(votes), "votes": _votes(votes), "progress": progress}
    for name, rows in tables.items():
        st.download_button(
            words.label(f"save_{name}"),
            Table(rows).csv,
            file_name=f"room-{name}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key=f"teaching_room_save_{name}",
        )
    st.caption(words.section("to_print", what=words.label("what_summary")))


def _votes(votes: list[tuple[Question, list[Tally]]]) -> list[dict[str, object]]:
    """Return how many learners gave each answer, in each vote on each question."""
    return [
        {
            "lesson": question.lesson,
            "question": title_of(question),
            "vote": tally.round,
            "answer": answer,
            "learners": n,
        }
        for question, tallies in votes
        for tally in tallies
        for answer, n in (
            ((number, 1) for number in tally.numbers)
            if question.kind == "number"
            else named_counts(question, tally).items()
        )
    ]


def _end(mine: Desk) -> None:
    try:
        with server_rooms():
            mine.end()
    except StoreGoneError:
        session.of(desk.AtDesk).news = membership.GONE
    else:
        desk.let_go(membership.ENDED)
