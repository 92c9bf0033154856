"""A learner with the bundled model, for tests, who solves an exercise as its lesson's tests do."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest

from mlm_core.encoder import pretrained
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.by_lesson import LESSONS, exercises_of
from mlm_core.exercises.exercise import Exercise, Learner, Task, check_answer
from pages.kit.exercises.feedback import section
from pages.server.course.words import read_words

EVERY = [
    pytest.param(lesson, exercise, id=f"{lesson}-{exercise.id}")
    for lesson in LESSONS
    for exercise in exercises_of(lesson)
]
WRONG = {
    "number": "-12345.5",
    "text": "One two three four five six seven eight.",
    "pair": "One two three four five six.\nOne two three four five six.",
    "mask": "00-00-00-00-00-00",
}
SEEDS = (*range(1, 11), 4711, 123_456_789)
# Drawing one takes many passes of a model.
DEAR = ("needed_head", "nearest_token", "they_disagree", "two_continuations")
LESSON_OF = {exercise.id: lesson for lesson in LESSONS for exercise in exercises_of(lesson)}
SENTENCE = "The old man crossed the river at night."


@cache
def bundled_model():
    return pretrained.load(BUNDLED)


def remember_in(kept: dict[str, object]):
    """Return what keeps what was made under a name, as the app's cache does."""

    def remember(name, make):
        if name not in kept:
            kept[name] = make()
        return kept[name]

    return remember


REMEMBER = remember_in({})


def learner(seed: int, text: str = SENTENCE) -> Learner:
    return Learner(
        seed=seed,
        text=text,
        tokenizer=lambda: bundled_model().tokenizer,
        model=bundled_model,
        remember=REMEMBER,
    )


@cache
def drawn(exercise: Exercise, seed: int) -> Task:
    """Draw an exercise once for all tests that look at it: each takes many seeds of every one."""
    return exercise.draw(learner(seed))


def drawn_for(exercise: Exercise) -> list[Task]:
    """Return an exercise as some learners have it: twelve, or four of a dear one."""
    return [drawn(exercise, seed) for seed in (SEEDS[:4] if exercise.id in DEAR else SEEDS)]


def find(name: str) -> Exercise:
    return next(one for one in exercises_of(LESSON_OF[name]) if one.id == name)


def hint_on(name: str, answer: str, seed: int = 3) -> str | None:
    """Return the hint for a wrong answer, after its words were filled in."""
    exercise = find(name)
    task = exercise.draw(learner(seed))
    verdict = check_answer(task, answer)
    assert verdict.outcome == "wrong"
    words = read_words(f"exercises/{LESSON_OF[name]}")
    assert "{{" not in section(words, exercise, task, verdict.hint, verdict.values)
    return verdict.hint


def solving(lesson: str) -> ModuleType:
    return import_module(f"tests.lessons.{lesson}.solutions")


def solutions(exercise: Exercise, task: Task) -> Iterator[str]:
    """Give the right answers to try, by another route than the one that checks them.

    It is the function of the exercise's name in `solutions.py` of its lesson's tests. For texts of
    the learner's own it gives several, since the bundled model may change.
    """
    lesson = LESSON_OF[exercise.id]
    solve = getattr(solving(lesson), exercise.id, None)
    assert solve, f"tests/lessons/{lesson}/solutions.py has no function {exercise.id}"
    return solve(task)


@cache
def first_answer(exercise: Exercise, seed: int) -> str:
    """Return the first answer by another route, found once: some take the model a moment."""
    return next(iter(solutions(exercise, drawn(exercise, seed))))


def number(value: object) -> float:
    return float(str(value).replace(",", "").replace("−", "-"))


def numbers_in(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"-?\d+", text)]


def n_pieces(text: str) -> int:
    return len(bundled_model().tokenizer.encode(text, add_special_tokens=False).ids)
