"""How far this visit is with a lesson, on its card: quiet, and nothing for who did nothing yet."""

from typing import Any

from pages.kit.part import Part
from pages.server.course.lessons import Lesson
from pages.server.record.session_record import tally


def show(p: Part, lesson: Lesson) -> None:
    """Say what of a lesson is opened and solved, with a link to what comes next.

    What comes next is the core way with one exercise, then the other parts, then the exercises.
    """
    done = tally(lesson)
    if done is None:
        return
    counts = {
        "core_opened": done.n_core_opened,
        "core": done.n_core,
        "opened": done.n_opened,
        "parts": done.n_parts,
        "solved": done.n_solved,
        "exercises": done.n_exercises,
    }
    icon, label = ("check", "core_done") if done.is_core else ("clock_loader_40", "core_progress")
    if done.is_all:
        icon, label = "check_circle", "all_done"
    if not done.n_exercises:  # of a lesson from elsewhere
        label = "opened_alone"
    p.write_small(f":material/{icon}: {p.label(label, **counts)}")
    if done.is_all:
        return
    following = done.next_core or (done.next_part if done.is_core else None)
    place: dict[str, Any] = {}
    if following:
        label = p.label("go_on", title=p.with_words(lesson.slug).label(f"part_{following}"))
    else:
        assert done.next_exercise is not None  # what isn't done has a part or an exercise left
        title = p.with_words(f"exercises/{lesson.slug}").label(done.next_exercise)
        label = p.label("go_on_exercise", title=title)
        place[f"{lesson.slug}_exercise_which"] = done.next_exercise
    p.link_to(lesson.slug, following or "exercises", label, icon="arrow_forward", **place)
