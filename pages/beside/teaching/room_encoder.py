"""Our encoder, on the desk: a theme, the class's sentences, the start, and what it learns."""

from collections.abc import Callable, Sequence

import streamlit as st

from mlm_core.figures.curves import Curve, curves_svg, nice_range
from mlm_core.number_format import formatted
from pages.server.classroom import encoder_run
from pages.server.classroom.desk import LONGEST_THEME, Desk
from pages.server.classroom.encoder_run import LEAST_SENTENCES, LONGEST_BLANK, Progress
from pages.server.classroom.rooms import ENCODER, RoomNow, Rooms, Sent
from pages.server.course.words import Words, read_words
from pages.server.figures.show import show_drawing, show_metrics
from pages.server.figures.table import Table
from pages.server.room import class_encoder, collecting, votes
from pages.server.room.server_rooms import server_rooms

THEME, BLANK = "teaching_room_encoder_theme", "teaching_room_encoder_blank"


def show(rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    """Show what is sent in, or how far the training is."""
    words = read_words("class_encoder")
    if room.encoder_seed is None:
        _collect(words, rooms, mine, room)
    else:
        show_training(rooms, mine, room)
        st.caption(words.section("desk_without", without=words.label("without")))
        of_room, sent = read_words("room"), mine.sent(ENCODER)
        _choose_blank(words, rooms, mine, room, sent)
        collecting.show_accepted(of_room, mine, ENCODER, _text, sent)
        with st.container(horizontal=True):
            _act("again", words, encoder_run.start, rooms, mine.code, icon="replay")
            _act("collect", words, encoder_run.take_back, rooms, mine.code, icon="edit_note")


def show_training(rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    """Show loss, words repeated and the guesses at the class's blank, also to a projector."""
    words = read_words("class_encoder")
    progress = encoder_run.progress_of(rooms, mine.code, room.encoder_seed)
    if progress is None:
        st.info(words.section("begins"), icon=":material/hourglass_top:")
        return
    class_encoder.show_progress(words, progress)
    if progress.message:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_curve(words, progress)
    with right:
        key = "teaching_room_encoder_guesses"
        class_encoder.show_guesses(words, progress.blank, progress.guesses, key=key)


def _collect(words: Words, rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    st.markdown(words.section("desk_lead", n=ENCODER.most_each))
    _ask(words.label("ask_theme"), THEME, room.themes[ENCODER.name], LONGEST_THEME, _theme, mine)
    of_room = read_words("room")
    collecting.show_switch(of_room, mine, ENCODER)
    sent = collecting.show_queue(of_room, mine, ENCODER, _text, accept="take")
    accepted = [one for one in sent if one.state == "accepted"]
    show_metrics(
        {
            of_room.label("n_here"): formatted(mine.n_here(), ","),
            words.label("n_accepted"): formatted(len(accepted), ","),
            words.label("n_learners"): formatted(len({one.visit for one in accepted}), ","),
        }
    )
    _choose_blank(words, rooms, mine, room, accepted)
    is_enough = len(accepted) >= LEAST_SENTENCES
    _act("start", words, encoder_run.start, rooms, mine.code, icon="play_arrow", is_on=is_enough)
    if not is_enough:
        st.caption(words.section("too_few", n=LEAST_SENTENCES))


def _choose_blank(
    words: Words, rooms: Rooms, mine: Desk, room: RoomNow, sent: Sequence[Sent]
) -> None:
    """Show the field for the class's sentence, and let the class vote where it is empty."""
    _ask(words.label("class_blank"), BLANK, room.encoder_blank, LONGEST_BLANK, _blank, mine)
    if room.encoder_blank:
        return
    n_accepted = sum(one.state == "accepted" for one in sent)
    _act(
        "vote",
        words,
        encoder_run.offer_choices,
        rooms,
        mine.code,
        icon="how_to_vote",
        is_on=n_accepted > 1,
    )
    st.caption(words.section("vote", n=encoder_run.MOST_CHOICES))
    question = encoder_run.blank_question(room)
    if question is not None:
        tallies = mine.tallies(question)
        key = "teaching_room_encoder_votes"
        votes.draw_votes(read_words("room"), question, tallies, key=key, is_revealed=False)


def _text(one: Sent) -> str:
    return one.said["sentence"]


def _draw_curve(words: Words, progress: Progress) -> None:
    losses = [loss for _, loss in progress.curve]
    curve = Curve(
        name=words.plain("training_loss"),
        points=[(step, loss) for step, loss in progress.curve],
        pen=0,
    )
    svg = curves_svg(
        [curve],
        last_step=progress.n_steps,
        y_range=nice_range([0.0, *losses]),
        x_title=words.plain("steps"),
        y_title=words.plain("nats"),
        alt=words.plain("curve_alt", step=progress.step, loss=formatted(losses[-1], ".2f")),
    )
    rows = [{"step": step, "training_loss": loss} for step, loss in progress.curve]
    source = words.label("source", n=progress.n_sentences, seed=progress.seed)
    show_drawing(svg, key="teaching_room_encoder_loss", table=Table(rows), source=source)


def _ask(
    label: str, key: str, now: str, most: int, take: Callable[[Desk], None], mine: Desk
) -> None:
    """Show a field of what the room asks for; `now` is what it asked for so far."""
    if key not in st.session_state:
        st.session_state[key] = now
    st.text_input(
        label, key=key, max_chars=most, on_change=votes.act, args=(take, mine), autocomplete="off"
    )


def _theme(mine: Desk) -> None:
    mine.ask_for(ENCODER, st.session_state[THEME] or "")


def _blank(mine: Desk) -> None:
    with server_rooms() as rooms:
        encoder_run.choose_blank(rooms, mine.code, st.session_state[BLANK] or "")


def _act(
    name: str,
    words: Words,
    what: Callable[[Rooms, str], None],
    rooms: Rooms,
    code: str,
    *,
    icon: str,
    is_on: bool = True,
) -> None:
    st.button(
        words.label(name),
        on_click=votes.act,
        args=(what, rooms, code),
        disabled=not is_on,
        icon=f":material/{icon}:",
        type="primary" if name == "start" else "secondary",
        key=f"teaching_room_encoder_{name}",
    )
