"""Every exercise has its words, and every word that a verdict asks for is there."""

import ast
import re
from pathlib import Path

import pytest

from mlm_core.exercises.by_lesson import LESSONS, exercises_of
from pages.kit.exercises.feedback import section
from pages.server.course.language import FIRST
from pages.server.course.lessons import LESSONS as COURSE
from pages.server.course.words import file_of, read_words
from pages.server.record.exercise_progress import N_HINTS
from tests.exercises.learners import EVERY, SEEDS, drawn

# Files beside a lesson's own that judge answers to its exercises.
MORE_FILES = {
    "train_an_encoder": ("tasks/stored_run_tasks.py",),
    "word_senses": ("tasks/own_sense_sentences.py",),
    "classification": ("tasks/fine_tuned_tasks.py",),
    "bio_tagging": ("tasks/tag_tasks.py",),
}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_a_few_exercises_of_several_kinds(lesson: str):
    exercises = exercises_of(lesson)
    assert 3 <= len(exercises) <= 5
    assert len({exercise.id for exercise in exercises}) == len(exercises)
    assert len({exercise.kind for exercise in exercises}) >= 2


def test_a_lesson_has_exercises_if_and_only_if_it_has_the_part_that_shows_them():
    assert {lesson.slug for lesson in COURSE if "exercises" in lesson.parts} == set(LESSONS)
    assert exercises_of("gardening") == ()


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_question_hints_explanation_and_title_are_there_in_every_variant(lesson, exercise):
    words = read_words(f"exercises/{lesson}")
    assert words.label(exercise.id)
    for task in (drawn(exercise, seed) for seed in SEEDS):
        for name in ("question", *(f"hint_{i + 1}" for i in range(N_HINTS))):
            text = section(words, exercise, task, name)
            assert text and "{{" not in text
        for option in task.options:
            assert words.label(f"{exercise.id}_{option}")
        if task.answer is not None:  # what is read by who gives up
            assert "{{" not in section(words, exercise, task, "explanation")


def named_hints(lesson: str) -> set[str]:
    """Return the names of hints that a lesson's module says in so many words."""
    import mlm_core.exercises as package

    names: set[str] = set()
    for file in (f"{lesson}.py", *MORE_FILES.get(lesson, ())):
        tree = ast.parse((Path(package.__file__).parent / file).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg in ("hint", "mistakes"):
                names |= {
                    each.value
                    for each in ast.walk(node.value)
                    if isinstance(each, ast.Constant)
                    and re.fullmatch(r"[a-z_]{3,}", str(each.value))
                }
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "hint":
                names |= {
                    each.value
                    for each in ast.walk(node.value)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return names


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_hint_that_a_module_names_has_its_words(lesson: str):
    text = file_of(f"exercises/{lesson}", FIRST).read_text(encoding="utf-8")
    written = {name.rsplit(".", 1)[-1] for name in re.findall(r"^## (\S+)", text, re.MULTILINE)}
    missing = named_hints(lesson) - written - {"as_it_was"}
    assert not missing, f"no section for {sorted(missing)}"
