"""Ways into the app: start or continue the course, teach, look something up, enter a room."""

from typing import Any

from pages.beside.home import room
from pages.kit.part import Part, part
from pages.server.course.lessons import FAULTS, LESSONS, LOOK_IT_UP, TEACHING
from pages.server.record.session_record import tally

FIRST = "subword_tokens"  # the lesson that begins with a sentence as it is


@part(redraws_page=True)
def show(p: Part, sentence: str) -> None:
    """Show the doors, the course first; it begins with a learner's own sentence."""
    with p.row("top", css="home_doors"):
        _course(p, sentence)
        for page in (TEACHING, LOOK_IT_UP):
            with p.place(css=f"door_{page.slug}"):
                p.link_to(page.slug, "", f"**{p.label(f'door_{page.slug}')}**")
        room.show(p)


def _course(p: Part, sentence: str) -> None:
    """Lead along the core way: to the first lesson begun on it, else to the first unopened one.

    Where the core way is done in every lesson, to the first one with parts that were not opened.
    """
    done = {lesson: tally(lesson) for lesson in LESSONS if lesson.slug not in FAULTS}
    begun = next((one for one, how in done.items() if how and not how.is_core), None)
    unopened = next((one for one, how in done.items() if how is None), None)
    more = next((one for one, how in done.items() if how and how.next_part), None)
    lesson = begun or unopened or more or LESSONS[0]
    with p.place(css="door_course"):
        about: dict[str, Any] = {}
        if any(done.values()):
            title = p.with_words(lesson.slug).label("title")
            label, place = p.label("door_go_on", number=lesson.number, title=title), ""
            if how := done[lesson]:
                place = (how.next_part if how.is_core else how.next_core) or "exercises"
        else:
            label, place = p.label("door_start"), ""
            if lesson.slug == FIRST and sentence != p.examples.label("default_sentence"):
                about = {f"{FIRST}_text": sentence}
        p.link_to(lesson.slug, place, f"**{label}**", icon="play_arrow", **about)
