"""The desk of a room: the votes of a question, how far the class is, its sentences, its encoder."""

from functools import partial

from mlm_core.number_format import formatted
from pages.beside.teaching import room_encoder, room_map
from pages.beside.teaching.room_invite import JOINING
from pages.beside.teaching.room_progress import show_progress
from pages.kit.part import Part, as_text
from pages.server.classroom import own_step
from pages.server.classroom.desk import Desk, Pick
from pages.server.classroom.rooms import LEARNER_QUESTIONS, MAP, SENTENCES, RoomNow, Rooms, Sent
from pages.server.room import by_teacher, class_training, collecting, plan_run, votes
from pages.server.room.server_rooms import asked, server_rooms

SUMMARY = "summary"  # not polled: room.py
ENCODER = "encoder"
OUR_MAP = "map"
QUESTIONS = "questions"  # of learners
SHOWN = "room_what"  # state: what of it is shown, also while it is projected
PROJECTED = "projected"  # one question and its votes alone
CHOSEN = "room_question"  # on the desk, and by the arrow keys where it is projected
NEWEST = ""  # the choice that follows what learners answer
EXAMPLE = "isotropy"  # a lesson with a guess


def show(p: Part, mine: Desk, what: str) -> None:
    """Show what came in, one of the choices but SUMMARY. Raises NoSuchRoomError, StoreGoneError."""
    with server_rooms() as rooms:
        room = mine.look()
        class_training.go_on(rooms, mine, room)
        if room.own and plan_run.current() is None:  # ended by a reload, or in another tab
            take = (votes.act, mine.show_own, "")
            p.button("room_take_own_back", *take, label="own_take_back", icon="close")
        picked = mine.picked()
        if picked:
            _show_large(p, mine, picked)
        if what == PROJECTED and picked:
            return
        if what == PROJECTED:
            _project(p, rooms, mine, room)
        elif what == "votes":
            _show_votes(p, mine, room)
        elif what == ENCODER:
            room_encoder.show(p, rooms, mine, room)
        else:
            p.metrics(_here(p, mine))
            if what == "progress":
                show_progress(p, mine)
            elif what == OUR_MAP:
                room_map.show_queue(p, mine)
            elif what == QUESTIONS:
                collecting.show_queue(p.words, mine, LEARNER_QUESTIONS, partial(_question, p))
            else:
                collecting.show_queue(p.words, mine, SENTENCES, lambda one: one.said["sentence"])


def _here(p: Part, mine: Desk) -> dict[str, str]:
    return {p.label("n_here"): formatted(mine.n_here(), ",")}


def is_picked(mine: Desk) -> bool:
    """Return whether anything is shown large."""
    return bool(asked(lambda _: mine.picked()))


def _show_large(p: Part, mine: Desk, picked: list[Pick]) -> None:
    """Show what the teacher picked, in the order of the presses, and the way to end it."""
    for number, one in enumerate(picked, start=1):
        p.write(f"{'#' * (2 if p.is_presented else 3)} {number} · {as_text(one.text)}")
    p.button("room_pick_none", votes.act, mine.pick, None, label="pick_end", icon="close")


def _question(p: Part, one: Sent) -> str:
    """Return a learner's question, with its upvotes once learners see it."""
    question = one.said["question"]
    if one.state == "waiting":
        return question
    return p.plain("with_upvotes", n=len(one.upvotes), question=question)


def question_line(p: Part, one: Sent) -> str:
    """Return a learner's question as Markdown to print: with its upvotes, or as answered."""
    if one.state == "answered":
        return p.section("learner_question_answered", question=one.said["question"])
    return as_text(_question(p, one))


def _project(p: Part, rooms: Rooms, mine: Desk, room: RoomNow) -> None:
    shown = p.state.get(SHOWN)
    own = own_step.now(rooms, mine.code) if room.own else ""
    if own and isinstance(own, str):
        by_teacher.show_words(own)
    elif not own and p.state.get(JOINING, True):
        return  # how learners come in is below
    elif shown == ENCODER and room.encoder_seed:
        room_encoder.show_training(p, rooms, mine, room)
    elif shown == OUR_MAP and room.themes[MAP.name]:
        room_map.show_way(p)
    else:
        _project_votes(p, mine, room)


def _project_votes(p: Part, mine: Desk, room: RoomNow) -> None:
    questions = votes.on_desk(mine)
    if not questions:
        p.write(f"### {p.label('n_here')}: {formatted(mine.n_here(), ',')}")
        return
    names = [one.id for one in questions]
    chosen = p.state.get(CHOSEN, NEWEST)
    at = names.index(chosen) if chosen in names else 0
    question = questions[at]
    tallies, is_revealed = mine.tallies(question), room.state(question.id).is_revealed
    votes.show_question(question, is_revealed=is_revealed)
    with p.row("center"):
        votes.show_answered(p.words, mine, tallies[-1])
        votes.show_buttons(p.words, mine, room, question)
        if len(names) > 1:
            _show_ways(p, [NEWEST, *names[1:]], at)
    if votes.are_shown():
        svg, _table = votes.votes_drawing(p.words, question, tallies, is_revealed=is_revealed)
        p.drawing("room_projected", svg)


def _show_ways(p: Part, choices: list[str], at: int) -> None:
    """Show the ways to the earlier question and the later one; the newest is first."""
    for to, name in ((at + 1, "earlier"), (at - 1, "later")):  # keys: votes.WAYS
        is_there = 0 <= to < len(choices)
        chosen = choices[to] if is_there else NEWEST
        off = not is_there
        p.button(f"room_{name}", _choose, p, chosen, label=name, type="tertiary", disabled=off)


def _choose(p: Part, name: str) -> None:
    p.state[CHOSEN] = name


def _show_votes(p: Part, mine: Desk, room: RoomNow) -> None:
    metrics = _here(p, mine)
    questions = {one.id: one for one in votes.on_desk(mine)}
    if not questions:
        p.metrics(metrics)
        p.note("no_question", icon="how_to_vote", title=p.with_words(EXAMPLE).label("title"))
        votes.show_switch(p.words)  # so that it can be off when the first answer comes
        return
    titles = {NEWEST: p.plain("newest")}
    titles |= {
        name: f"{votes.lesson_of(one)}: {votes.title_of(one)}" for name, one in questions.items()
    }
    chosen = p.picked(CHOSEN, titles, "question", persist_state="session")
    question = questions.get(chosen) or next(iter(questions.values()))
    state, tallies = room.state(question.id), mine.tallies(question)
    p.metrics(metrics | {p.label("n_voted"): formatted(tallies[-1].n, ",")})
    votes.show_question(question, is_revealed=state.is_revealed)
    with p.row("center"):
        votes.show_buttons(p.words, mine, room, question)
        is_shown = votes.show_switch(p.words)
    if state.is_revealed:
        p.caption("revealed")
    collecting.show_typed(p.words, mine, question)
    if is_shown:
        about, key = (p.words, question, tallies), p.key("room_votes")
        votes.draw_votes(*about, key=key, is_revealed=state.is_revealed)
