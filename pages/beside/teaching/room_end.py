"""The end of a room: what is saved before, and how it ends."""

from pages.beside.teaching.room_progress import rows_of
from pages.kit.part import Part, Table, part
from pages.server.classroom.desk import Desk, Tally
from pages.server.classroom.rooms import Question
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.room import desk, membership
from pages.server.room.server_rooms import server_rooms
from pages.server.room.votes import named_counts, results_of, title_of


@part(words=("room",))
def show(p: Part) -> None:
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
