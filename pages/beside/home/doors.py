"""Three ways into the app: start or continue the course, teach a class, look something up."""

from pages.kit.part import Part, part
from pages.server.course.lessons import FAULTS, LESSONS, LOOK_IT_UP, TEACHING
from pages.server.record.session_record import tally


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show the three doors, the course first."""
    with p.row("top", css="home_doors"):
        _course(p)
        for page in (TEACHING, LOOK_IT_UP):
            with p.place(css=f"door_{page.slug}"):
                p.link_to(page.slug, "", f"**{p.label(f'door_{page.slug}')}**")
                p.write_small(p.label(f"door_{page.slug}_caption"))


def _course(p: Part) -> None:
    """Lead along the core way: to the first lesson begun on it, else to the first unopened one.

    Where the core way is done in every lesson, to the first one with parts that were not opened.
    """
    done = {lesson: tally(lesson) for lesson in LESSONS if lesson.slug not in FAULTS}
    begun = next((one for one, how in done.items() if how and not how.is_core), None)
    unopened = next((one for one, how in done.items() if how is None), None)
    more = next((one for one, how in done.items() if how and how.next_part), None)
    lesson = begun or unopened or more or LESSONS[0]
    title = p.with_words(lesson.slug).label("title")
    with p.place(css="door_course"):
        if any(done.values()):
            label, place = "door_go_on", ""
            if how := done[lesson]:
                place = (how.next_part if how.is_core else how.next_core) or "exercises"
            caption = p.label("door_go_on_caption", number=lesson.number, title=title)
        else:
            label, place = "door_start", ""
            caption = p.label("door_start_caption", title=title, minutes=lesson.minutes)
        p.link_to(lesson.slug, place, f"**{p.label(label)}**", icon="play_arrow")
        p.write_small(caption)
