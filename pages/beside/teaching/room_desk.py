"""The desk of a room: the votes of a question, how far the class is, its sentences, its encoder."""

import streamlit as st

from mlm_core.number_format import formatted
from pages.beside.teaching import room_encoder, room_map
from pages.beside.teaching.room_progress import show_progress
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import MAP, SENTENCES, RoomNow
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.figures.show import show_metrics
from pages.server.room import class_training, collecting, votes
from pages.server.room.server_rooms import server_rooms

SUMMARY = "summary"  # not polled: room_summary.py
ENCODER = "encoder"
OUR_MAP = "map"
WHAT = ("votes", "progress", "sentences", ENCODER, OUR_MAP, SUMMARY)
SHOWN = "teaching_room_what"  # session state: which of WHAT, also while it is projected
PROJECTED = "projected"  # one question and its votes alone
CHOSEN = "teaching_room_question"  # on the desk, and by the arrow keys where it is projected
NEWEST = ""  # the choice that follows what learners answer
EXAMPLE = "isotropy"  # a lesson with a guess


def show(mine: Desk, what: str) -> None:
    """Show what came in, one of WHAT but SUMMARY. Raises NoSuchRoomError, StoreGoneError."""
    words = read_words("room")
    with server_rooms() as rooms:
        room = mine.look()
        class_training.go_on(rooms, mine, room)
        metrics = {words.label("n_here"): formatted(mine.n_here(), ",")}
        if what == PROJECTED and room.encoder_seed and st.session_state.get(SHOWN) == ENCODER:
            room_encoder.show_training(rooms, mine, room)
            return
        if what == PROJECTED and room.themes[MAP.name] and st.session_state.get(SHOWN) == OUR_MAP:
            room_map.show_way(words)
            return
        if what == PROJECTED:
            _project_votes(words, mine, room)
            return
        if what == "votes":
            _show_votes(words, mine, room, metrics)
            return
        if what == ENCODER:
            room_encoder.show(rooms, mine, room)
            return
        show_metrics(metrics)
        if what == "progress":
            show_progress(words, mine)
        elif what == OUR_MAP:
            room_map.show_queue(words, mine)
        else:
            collecting.show_queue(words, mine, SENTENCES, lambda one: one.said["sentence"])


def _project_votes(words: Words, mine: Desk, room: RoomNow) -> None:
    questions = [one for one in mine.questions() if one.lesson in BY_SLUG]
    if not questions:
        st.markdown(f"### {words.label('n_here')}: {formatted(mine.n_here(), ',')}")
        return
    names = [one.id for one in questions]
    chosen = st.session_state.get(CHOSEN, NEWEST)
    at = names.index(chosen) if chosen in names else 0
    question = questions[at]
    tallies = mine.tallies(question)
    st.markdown(f"### {as_text(votes.title_of(question))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        votes.show_answered(words, mine, tallies[-1])
        votes.show_buttons(words, mine, room, question)
        if len(names) > 1:
            _show_ways(words, [NEWEST, *names[1:]], at)
    if st.session_state.get(votes.SHOWN, True):
        is_revealed = room.state(question.id).is_revealed
        svg, _table = votes.votes_drawing(words, question, tallies, is_revealed=is_revealed)
        drawing(svg, key="teaching_room_projected")


def _show_ways(words: Words, choices: list[str], at: int) -> None:
    """Show the ways to the earlier question and the later one; the newest stands first."""
    for to, key in zip((at + 1, at - 1), votes.WAYS, strict=True):
        is_there = 0 <= to < len(choices)
        st.button(
            words.label(key.removeprefix("teaching_room_")),
            on_click=_choose,
            args=(choices[to] if is_there else NEWEST,),
            disabled=not is_there,
            type="tertiary",
            key=key,
        )


def _choose(name: str) -> None:
    st.session_state[CHOSEN] = name


def _show_votes(words: Words, mine: Desk, room: RoomNow, metrics: dict[str, str]) -> None:
    questions = {one.id: one for one in mine.questions() if one.lesson in BY_SLUG}
    if not questions:
        show_metrics(metrics)
        title = read_words(EXAMPLE).label("title")
        st.info(words.section("no_question", title=title), icon=":material/how_to_vote:")
        votes.show_switch(words)  # so that it can be off when the first answer comes
        return
    titles = {NEWEST: words.plain("newest")}
    titles |= {
        name: f"{read_words(one.lesson).plain('title')}: {votes.title_of(one)}"
        for name, one in questions.items()
    }
    chosen = st.selectbox(
        words.label("question"),
        list(titles),
        format_func=lambda name: titles.get(name, name),
        key=CHOSEN,
        persist_state="session",
    )
    question = questions.get(chosen) or next(iter(questions.values()))
    state, tallies = room.state(question.id), mine.tallies(question)
    show_metrics(metrics | {words.label("n_voted"): formatted(tallies[-1].n, ",")})
    st.markdown(f"### {as_text(votes.title_of(question))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        votes.show_buttons(words, mine, room, question)
        is_shown = votes.show_switch(words)
    if state.is_revealed:
        st.caption(words.section("revealed"))
    if is_shown:
        about = (words, question, tallies)
        votes.draw_votes(*about, key="teaching_room_votes", is_revealed=state.is_revealed)
