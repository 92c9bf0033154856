"""Every exercise has its words, and every word that a verdict asks for is there."""

import re
from pathlib import Path

import pytest

import mlm_core.exercises as exercises_package
from mlm_core.exercises.by_lesson import LESSONS, exercises_of
from pages.kit.exercises.feedback import section
from pages.server.course.lessons import LESSONS as COURSE
from pages.server.course.words import read_words
from pages.server.record.exercise_progress import N_HINTS
from tests.exercises.learners import EVERY, drawn_for


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_a_few_exercises(lesson: str):
    names = [exercise.id for exercise in exercises_of(lesson)]
    assert 3 <= len({*names}) == len(names) <= 6


def test_a_lesson_has_exercises_if_and_only_if_it_has_the_part_that_shows_them():
    assert {lesson.slug for lesson in COURSE if "exercises" in lesson.parts} == set(LESSONS)
    assert exercises_of("gardening") == ()


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_question_hints_explanation_and_title_are_there_in_every_variant(lesson, exercise):
    words = read_words(f"exercises/{lesson}")
    assert words.label(exercise.id)
    for task in drawn_for(exercise):
        for name in ("question", *(f"hint_{i + 1}" for i in range(N_HINTS))):
            text = section(words, exercise, task, name)
            assert text and "{{" not in text
        for option in task.options:
            assert words.label(f"{exercise.id}_{option}")
        if task.answer is not None:  # what is read by who gives up
            assert "{{" not in section(words, exercise, task, "explanation")


def test_every_hint_that_a_judge_of_texts_names_has_its_words():
    """Those of numbers and options are read when test_solving.py gives wrong answers."""
    texts = [read_words(name) for name in ("exercises", *(f"exercises/{one}" for one in LESSONS))]
    written = {name.rpartition(".")[2] for words in texts for name in words._sections}
    named = set()
    for file in Path(exercises_package.__file__).parent.rglob("*.py"):
        code = file.read_text(encoding="utf-8")
        named |= {*re.findall(r'(?:wrong|Error)\(\s*"(\w+)"', code)}
        named |= {*re.findall(r'"(\w+)"', " ".join(re.findall(r"\bhint = .*", code)))} - {"BS", "I"}
    assert len(named) > 50 and named <= written, named - written
