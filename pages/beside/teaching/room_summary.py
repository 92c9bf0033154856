"""The summary of a room as a page to print: every vote, how far the class is, its sentences.

It isn't polled, and is all that the page shows: the print style of page_style.py does the rest.
"""

from datetime import datetime

from mlm_core.number_format import formatted
from pages.beside.teaching.room_progress import show_progress
from pages.kit.part import Part, Table, as_text
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import SENTENCES
from pages.server.course.lessons import BY_SLUG, CONCEPT_TEST
from pages.server.room.server_rooms import server_rooms
from pages.server.room.votes import draw_votes, results_of, title_of

FIGURE_WIDTH = 440  # pixels: two votes or more fit on a sheet


def show(p: Part, mine: Desk) -> None:
    """Show all that came in until now. Raises NoSuchRoomError, StoreGoneError."""
    with server_rooms():
        questions = [one for one in reversed(mine.questions()) if one.lesson in BY_SLUG]
        votes = {one.id: mine.tallies(one) for one in questions}
        sent = mine.sent(SENTENCES)
        sentences = [one.said["sentence"] for one in sent if one.state == "accepted"]
        p.write(f"## {p.label('summary_title', code=mine.code)}")
        now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
        p.caption("summary", n=formatted(mine.n_came(), ","), date=now)
        rows = results_of((one, votes[one.id]) for one in questions)
        if rows:
            Table(rows).show()
            p.caption("results")
        for number, question in enumerate(questions):
            lesson = p.with_words(question.lesson).label("title")
            p.write(f"### {lesson}: {as_text(title_of(question))}")
            with p.place(width=FIGURE_WIDTH):
                key = p.key(f"room_votes_{number}")
                draw_votes(p.words, question, votes[question.id], key=key, is_revealed=True)
        p.write(f"### {p.label('what_progress')}")
        show_progress(p, mine)
        if sentences:
            p.write(f"### {p.label('sentences')}")
            p.write("\n".join(f"- {as_text(one)}" for one in sentences))
    of_room = p.with_words(CONCEPT_TEST.slug).label("of_room")
    p.link_to(CONCEPT_TEST.slug, "gain", of_room)
    p.caption("print")
