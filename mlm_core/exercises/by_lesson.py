"""The exercises of each lesson, by the lesson's name.

Read before this: exercise.py.
"""

from importlib import import_module
from pathlib import Path

from mlm_core.exercises.exercise import Exercise

# Every other module here has the exercises of the lesson that it is named after.
LESSONS = tuple(
    sorted(
        file.stem
        for file in Path(__file__).parent.glob("*.py")
        if file.stem not in ("__init__", "by_lesson", "exercise")
    )
)


def exercises_of(lesson: str) -> tuple[Exercise, ...]:
    """Return a lesson's exercises in their order; none if it has no module here.

    >>> exercises_of("subword_tokens")[0].id, exercises_of("gardening")
    ('longest_match', ())
    """
    if lesson not in LESSONS:
        return ()
    return import_module(f"mlm_core.exercises.{lesson}").EXERCISES
