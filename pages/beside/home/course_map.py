"""The course map: one card a lesson, with a picture of what it shows first."""

import functools
from typing import Any

from mlm_core.figures.classroom.pictures import lesson_picture
from mlm_core.stored.pictures import read_pictures
from pages.beside.home import progress
from pages.kit.part import Part, part
from pages.server.course.lessons import BY_SLUG, LESSONS, SESSIONS, Lesson

_pictures = functools.cache(read_pictures)
NAMED_BARS = ("sentence_pairs", "encoders_today")  # lessons whose bars have names in words


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show all lessons in their order."""
    first, second = (sum(BY_SLUG[slug].minutes for slug in session) for session in SESSIONS)
    with p.place(css="course_map"):
        for lesson in LESSONS:
            with p.place(border=True, css=f"card_{lesson.slug}"):
                _card(p, lesson)
    p.write_small(p.label("map", n=len(LESSONS), first=first, second=second))
    p.with_words("pocket").caption("offer")


def _card(p: Part, lesson: Lesson) -> None:
    own, picture = p.with_words(lesson.slug), f"picture_{lesson.slug}"
    numbers: dict[str, Any] | None = _pictures(p.language).get(lesson.slug)
    if numbers is not None:
        if lesson.slug in NAMED_BARS:
            numbers = {**numbers, "names": p.plain(f"{picture}_bars").split(", ")}
        p.drawing(picture, lesson_picture(lesson.slug, numbers, alt=p.plain(picture)))
    p.link_to(lesson.slug, "", f"**{lesson.number} · {own.label('title')}**", icon="")
    p.write_small(own.label("question"))
    with p.place(css=f"progress_{lesson.slug}"):
        progress.show(p.with_words("record"), lesson)
