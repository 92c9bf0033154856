"""A class in one room: open one, direct it from the desk, print its summary, end it.

The desk is polled. It is next to the other parts that are drawn alone and not inside of one: each
rerun of the outer one would start one more timer.
"""

from datetime import datetime

from mlm_core.number_format import formatted
from pages.beside.teaching import room_desk, room_invite, room_map
from pages.beside.teaching.room_looks import is_looked_at
from pages.beside.teaching.room_progress import rows_of, show_progress
from pages.kit.part import Part, Table, as_text, part
from pages.server import session
from pages.server.classroom.desk import Desk, Tally
from pages.server.classroom.rooms import LEARNER_QUESTIONS, SENTENCES, Collection, Question, Sent
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.lessons import CONCEPT_TEST
from pages.server.room import desk, membership
from pages.server.room.server_rooms import server_rooms
from pages.server.room.votes import (
    draw_votes,
    lesson_of,
    named_counts,
    on_desk,
    results_of,
    show_question,
    title_of,
)

LOOK_SECONDS = 1.0
FIGURE_WIDTH = 440  # pixels: two votes or more fit on a sheet


@part(redraws_page=True, words=("room",))
def show(p: Part) -> None:
    """Offer to open a room, or show the desk of the one that this visit directs."""
    kept = session.of(desk.AtDesk)
    desk.say(kept.news)
    kept.news = ""
    if kept.mine is None:
        p.say("lead")
        p.caption("kept")
        p.button("room_open", desk.open_room, label="open", type="primary", icon="groups")
        return
    if p.is_presented:  # how learners come in, or the newest question and its votes
        is_picked = room_desk.is_picked(kept.mine)
        _draw_desk(p, room_desk.PROJECTED, was_picked=is_picked)
        if not is_picked:
            room_invite.show(p)
        return
    above, is_empty = p.place(), room_invite.is_empty(kept.mine)
    what = p.choice(room_desk.SHOWN)
    if what == room_desk.OUR_MAP:
        room_map.show(p)
    _draw_desk(p, what, is_empty)
    if what != room_desk.SUMMARY:  # nobody comes in by a code on paper
        with above if is_empty else p.fold("invitation", "group_add"):
            room_invite.show(p)
    _end(p)


def _draw_desk(p: Part, what: str, was_empty: bool = False, was_picked: bool = False) -> None:
    polls = is_looked_at(p) and what != room_desk.SUMMARY
    p.polled(_desk, what, was_empty, was_picked, seconds=LOOK_SECONDS if polls else None)


def _desk(p: Part, what: str, was_empty: bool, was_picked: bool) -> None:
    try:
        if (mine := desk.current()) is not None:
            if was_empty and not room_invite.is_empty(mine):
                p.draw_page_now()  # the invitation makes room for the tools
            if what == room_desk.PROJECTED and room_desk.is_picked(mine) != was_picked:
                p.draw_page_now()  # the invitation makes room for what is shown large
            if what == room_desk.SUMMARY:
                _show_summary(p, mine)
            else:
                room_desk.show(p, mine, what)
            return
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        p.warn(membership.GONE, icon="cloud_off")
        return
    p.draw_page_now()  # without a desk


@part(words=("room",))
def _end(p: Part) -> None:
    """Offer to save what came in, and to end the room."""
    mine = desk.current()
    if mine is None:
        return
    p.line()
    with p.row("top"):
        opened = p.popover("save", "save", key="room_save")
        with p.popover("end", "stop_circle"):
            p.say("end_sure")
            p.button("room_end", desk.end, mine, label="end_sure", type="primary")
        p.button("room_let_go", desk.let_go, label="let_go", type="tertiary")
    if opened.open:
        with opened:
            _offer_files(p, mine)


def _offer_files(p: Part, mine: Desk) -> None:
    try:
        with server_rooms():
            votes = [(question, mine.tallies(question)) for question in mine.questions()]
            progress = rows_of(mine.progress())
    except (NoSuchRoomError, StoreGoneError):
        p.warn(membership.GONE, icon="cloud_off")
        return
    tables = {"results": results_of(votes), "votes": _votes(votes), "progress": progress}
    for name, rows in tables.items():
        file = (f"room-{name}.csv", "text/csv", f"save_{name}")
        p.download(f"room_save_{name}", Table(rows).csv, *file)
    p.caption("to_print", what=p.label("what_summary"))


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


def _show_summary(p: Part, mine: Desk) -> None:
    """Show all that came in until now, as a page to print; page_style.py does the rest.

    Raises NoSuchRoomError, StoreGoneError.
    """
    with server_rooms():
        questions = [*reversed(on_desk(mine))]
        votes = {one.id: mine.tallies(one) for one in questions}
        asked = [room_desk.question_line(p, one) for one in _shown(mine, LEARNER_QUESTIONS)]
        sentences = [as_text(one.said["sentence"]) for one in _shown(mine, SENTENCES)]
        p.write(f"## {p.label('summary_title', code=mine.code)}")
        now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
        p.caption("summary", n=formatted(mine.n_came(), ","), date=now)
        rows = results_of((one, votes[one.id]) for one in questions)
        if rows:
            Table(rows).show()
            p.caption("results")
        for number, question in enumerate(questions):
            show_question(question, before=lesson_of(question), is_revealed=True)
            with p.place(width=FIGURE_WIDTH):
                key = p.key(f"room_votes_{number}")
                draw_votes(p.words, question, votes[question.id], key=key, is_revealed=True)
        p.write(f"### {p.label('what_progress')}")
        show_progress(p, mine)
        for title, lines in (("what_questions", asked), ("sentences", sentences)):
            if lines:
                p.write(f"### {p.label(title)}")
                p.write("\n".join(f"- {line}" for line in lines))
    of_room = p.with_words(CONCEPT_TEST.slug).label("of_room")
    p.link_to(CONCEPT_TEST.slug, "gain", of_room)
    p.caption("print")


def _shown(mine: Desk, collection: Collection) -> list[Sent]:
    return [one for one in mine.sent(collection) if one.state != "waiting"]
