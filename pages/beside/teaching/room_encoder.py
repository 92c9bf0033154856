"""Our encoder, on the desk: a theme, the class's sentences, the start, and what it learns."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlm_core.figures.curves import Curve, Level, curves_svg, nice_range
from mlm_core.number_format import formatted
from pages.kit.part import Part
from pages.server.classroom import encoder_run
from pages.server.classroom.desk import LONGEST_THEME, Desk
from pages.server.classroom.encoder_run import LEAST_SENTENCES, LONGEST_BLANK, Progress
from pages.server.classroom.rooms import ENCODER, RoomNow, Rooms, Sent
from pages.server.room import class_encoder, collecting, votes
from pages.server.room.server_rooms import server_rooms

THEME, BLANK = "room_encoder_theme", "room_encoder_blank"


def show(of_room: Part, rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    """Show what is sent in, or how far the training is."""
    p = of_room.with_words("class_encoder")
    if room.encoder_seed is None:
        _collect(p, of_room, rooms, mine, room)
        return
    show_training(p, rooms, mine, room)
    p.caption("desk_without", without=p.label("without"))
    sent = mine.sent(ENCODER)
    _choose_blank(p, of_room, rooms, mine, room, sent)
    collecting.show_accepted(of_room.words, mine, ENCODER, _text, sent)
    with p.row("top"):
        _act(p, "again", encoder_run.start, rooms, mine.code, icon="replay")
        _act(p, "collect", encoder_run.take_back, rooms, mine.code, icon="edit_note")


def show_training(p: Part, rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    """Show loss, words repeated and the guesses at the class's blank, also to a projector."""
    p = p.with_words("class_encoder")
    progress = encoder_run.progress_of(rooms, mine.code, room.encoder_seed)
    if progress is None:
        p.note("begins", icon="hourglass_top")
        return
    class_encoder.show_progress(p.words, progress)
    if progress.message:
        return
    left, right = p.columns()
    with left:
        _draw_curve(p, progress)
    with right:
        key = p.key("room_encoder_guesses")
        class_encoder.show_guesses(p.words, progress.blank, progress.guesses, key=key)


def _collect(p: Part, of_room: Part, rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    p.say("desk_lead", n=ENCODER.most_each)
    _ask(p, "ask_theme", THEME, room.themes[ENCODER.name], LONGEST_THEME, partial(_theme, p, mine))
    collecting.show_switch(of_room.words, mine, ENCODER)
    sent = collecting.show_queue(of_room.words, mine, ENCODER, _text, accept="take")
    accepted = [one for one in sent if one.state == "accepted"]
    p.metrics(
        {
            of_room.label("n_here"): formatted(mine.n_here(), ","),
            p.label("n_accepted"): formatted(len(accepted), ","),
            p.label("n_learners"): formatted(len({one.visit for one in accepted}), ","),
        }
    )
    _choose_blank(p, of_room, rooms, mine, room, accepted)
    is_enough = len(accepted) >= LEAST_SENTENCES
    _act(p, "start", encoder_run.start, rooms, mine.code, icon="play_arrow", is_on=is_enough)
    if not is_enough:
        p.caption("too_few", n=LEAST_SENTENCES)


def _choose_blank(
    p: Part, of_room: Part, rooms: Rooms, mine: Desk, room: RoomNow, sent: Sequence[Sent]
) -> None:
    """Show the field for the class's sentence, and let the class vote where it is empty."""
    take = partial(_blank, p, mine)
    _ask(p, "class_blank", BLANK, room.encoder_blank, LONGEST_BLANK, take)
    if room.encoder_blank:
        return
    is_on = sum(one.state == "accepted" for one in sent) > 1
    offer = encoder_run.offer_choices
    _act(p, "vote", offer, rooms, mine.code, icon="how_to_vote", is_on=is_on)
    p.caption("vote", n=encoder_run.MOST_CHOICES)
    question = encoder_run.blank_question(room)
    if question is not None:
        tallies, key = mine.tallies(question), p.key("room_encoder_votes")
        votes.draw_votes(of_room.words, question, tallies, key=key, is_revealed=False)


def _text(one: Sent) -> str:
    return one.said["sentence"]


def _draw_curve(p: Part, progress: Progress) -> None:
    """Draw the loss in what is trained on and in what is held out, and that of word counts."""
    points = {"training_loss": progress.curve, "held_out_loss": progress.held_out}
    curves = [
        Curve(name=p.plain(name), points=[(x, y) for x, y in given], pen=pen, dots=pen == 1)
        for pen, (name, given) in enumerate(points.items())
        if given
    ]
    counts, losses = progress.baseline_loss, [loss for _, loss in progress.curve]
    drawing = partial(
        curves_svg,
        curves,
        last_step=progress.n_steps,
        y_range=nice_range([0.0, counts, *(y for curve in curves for _, y in curve.points)]),
        x_title=p.plain("steps"),
        y_title=p.plain("nats"),
        levels=[Level(name=p.plain("word_counts"), value=counts)] if progress.held_out else [],
    )
    by_step = {step: {"step": step, "training_loss": loss} for step, loss in progress.curve}
    for step, loss in progress.held_out:
        by_step.setdefault(step, {"step": step})["held_out_loss"] = loss
    last = {"loss": losses[-1:], "held_out": [one for _, one in progress.held_out[-1:]]}
    values: dict[str, Any] = {
        name: formatted(given[0], ".2f") if given else "–"
        for name, given in {**last, "counts": [counts] if progress.held_out else []}.items()
    }
    values |= {"step": progress.step, "n": progress.n_sentences, "seed": progress.seed}
    rows = [by_step[step] for step in sorted(by_step)]
    p.figure("room_encoder_loss", drawing, rows, alt="curve_alt", source="source", **values)


def _ask(p: Part, label: str, name: str, now: str, most: int, take: Callable[[], None]) -> None:
    """Show a field of what the room asks for; `now` is what it asked for so far."""
    p.state.setdefault(name, now)
    p.typed(name, label, longest=most, stays=False, on_change=votes.act, args=(take,))


def _theme(p: Part, mine: Desk) -> None:
    mine.ask_for(ENCODER, p.state[THEME] or "")


def _blank(p: Part, mine: Desk) -> None:
    with server_rooms() as rooms:
        encoder_run.choose_blank(rooms, mine.code, p.state[BLANK] or "")


def _act(
    p: Part,
    name: str,
    what: Callable[[Rooms, str], None],
    *about: object,
    icon: str,
    is_on: bool = True,
) -> None:
    more: dict[str, Any] = {"type": "primary" if name == "start" else "secondary", "icon": icon}
    key = f"room_encoder_{name}"
    p.button(key, votes.act, what, *about, label=name, disabled=not is_on, **more)
