"""How far the class is: learners by lesson, part and exercise, as a small map with its table."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.figures.classroom.votes import map_html
from pages.kit.part import Part, as_text
from pages.server.classroom.desk import Desk, LessonProgress
from pages.server.course.lessons import LESSONS, Lesson
from pages.server.course.words import read_words

EXERCISES = "exercises"  # a part that has a row for each exercise


def show_progress(p: Part, mine: Desk) -> None:
    """Draw the map of the lessons that somebody opened, and the most frequent wrong answers."""
    progress = mine.progress()
    if not progress:
        p.note("no_progress", icon="map")
        return
    p.caption("progress_lead")
    rows = rows_of(progress)
    cells: dict[str, list[tuple[str, int, int]]] = {}
    for row in rows:
        n = row["opened"] if row["opened"] is not None else row["solved"]
        name = row["part"] or row["exercise"]
        cells.setdefault(row["lesson"], []).append((name, n, row["needs_help"] or 0))
    drawing = partial(map_html, cells, help_name=p.plain("needs_help"))
    p.figure("room_map", drawing, rows, alt="map_alt", source="progress_source")
    _show_wrong(p, progress)


def rows_of(progress: dict[str, LessonProgress]) -> list[dict[str, Any]]:
    """Return a row for each part and exercise of the lessons that somebody opened."""
    return [
        row
        for lesson in LESSONS
        if lesson.slug in progress
        for row in _rows_of_lesson(lesson, progress[lesson.slug])
    ]


def _rows_of_lesson(lesson: Lesson, progress: LessonProgress) -> Iterator[dict[str, Any]]:
    title = read_words(lesson.slug).plain("title")
    empty = {"lesson": title, "part": "", "exercise": "", "opened": None, "solved": None}
    for name in lesson.parts:
        if name != EXERCISES:
            text, n = read_words(lesson.slug).plain(f"part_{name}"), progress.opened.get(name, 0)
            yield empty | {"part": text, "opened": n, "needs_help": None}
    for exercise in exercises_of(lesson.slug):
        if exercise.id in {**progress.solved, **progress.stuck, **progress.wrong}:
            yield empty | {
                "exercise": read_words(f"exercises/{lesson.slug}").plain(exercise.id),
                "solved": progress.solved.get(exercise.id, 0),
                "needs_help": progress.stuck.get(exercise.id, 0),
            }


def _show_wrong(p: Part, progress: dict[str, LessonProgress]) -> None:
    lines = []
    for lesson in LESSONS:
        wrong = progress[lesson.slug].wrong if lesson.slug in progress else {}
        if not wrong:
            continue  # the exercises of a lesson that nobody opened needn't be imported
        titles = read_words(f"exercises/{lesson.slug}")
        for exercise in exercises_of(lesson.slug):
            given = ", ".join(f"{as_text(text)} ({n})" for text, n in wrong.get(exercise.id, ()))
            if given:
                lesson_title = read_words(lesson.slug).label("title")
                lines.append(f"- {lesson_title}, {titles.label(exercise.id)}: {given}")
    if lines:
        p.write("\n".join([p.section("wrong_lead"), "", *lines]))
