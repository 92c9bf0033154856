"""The part "exercises" of every lesson that has one, run whole, without a browser."""

import re

import pytest

from mlm_core.exercises.by_lesson import LESSONS as WITH_EXERCISES
from mlm_core.exercises.by_lesson import exercises_of
from pages.server import session
from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from pages.server.record.exercise_progress import Exercises
from tests.exercises.learners import WRONG, learner, solutions
from tests.hostile import LINK_VALUES, TEXTS

SEED = 5
EVERY_LESSON = [
    pytest.param(lesson, id=lesson.slug) for lesson in LESSONS if lesson.slug in WITH_EXERCISES
]
SOME_TEXTS = ("emoji", "script tag", "Markdown", "LaTeX", "template marks", "[MASK]")
HOSTILE = " ".join(" ".join(TEXTS[name].split()) for name in SOME_TEXTS)[:300]
SOME_LESSONS = EVERY_LESSON[:2]  # what all lessons share
RUNS_MODEL = (  # tested in tests/exercises
    *("same_vectors", "two_continuations", "top_five", "fool_it"),
    *("place_in_sense", "one_word_apart"),
)


def open_exercises(open_warm_page, lesson, which: str | None = None, **link: str):
    slug = lesson.slug
    link = {f"{slug}_part": "exercises", "seed": str(SEED), **link}
    if which is not None:
        link[f"{slug}_exercise_which"] = which
    return open_warm_page(lesson.file, **link)


def answer(app, lesson, exercise, text: str) -> None:
    """Give an answer and press "Check"."""
    key = f"{lesson.slug}_exercise_{exercise.id}"
    if exercise.kind == "choice":
        app.radio(key=f"{key}_answer").set_value(text)
    elif exercise.kind == "pair":
        for i, line in enumerate(text.split("\n"), 1):
            app.text_input(key=f"{key}_answer_{i}").set_value(line)
    elif exercise.kind == "mask":
        app.session_state[f"{key}_mask"] = text
    else:
        app.text_input(key=f"{key}_answer").set_value(text)
    app.button(key=f"{key}_check").click().run()


def n_solved(app) -> int:
    return int(re.search(r"(\d+) of \d+ solved", str(app.get("progress")[0].proto))[1])


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_every_exercise_goes_from_wrong_with_a_hint_to_right_with_an_explanation(
    lesson, open_warm_page
):
    words = read_words("exercises")
    solved = 0
    app = open_exercises(open_warm_page, lesson)
    assert not app.exception
    for exercise in exercises_of(lesson.slug):
        app.segmented_control(key=f"{lesson.slug}_exercise_which").set_value(exercise.id).run()
        task = exercise.draw(learner(SEED))
        wrong, is_pair = WRONG.get(exercise.kind), exercise.kind == "pair"
        right = next(iter(solutions(exercise, task)))
        if exercise.kind == "choice":
            wrong = next(option for option in task.options if option != right)
        elif exercise.kind != "mask":  # tests/exercises gives all texts to every check
            answer(app, lesson, exercise, f"{HOSTILE}\n{HOSTILE}" if is_pair else HOSTILE)
            assert not app.exception, exercise.id
            assert all("unexpected error" not in each.value for each in app.error), exercise.id
        answer(app, lesson, exercise, wrong)
        assert not app.exception and not app.success, exercise.id
        said = [element.value for element in (*app.error, *app.info)]
        assert words.label("wrong") in said[0] and len("".join(said)) > 40, exercise.id
        if exercise.id in RUNS_MODEL:
            continue
        answer(app, lesson, exercise, right)
        assert not app.exception and not app.error, exercise.id
        assert words.label("right") in app.success[0].value
        assert len(app.success[0].value) > 60, "an explanation follows"
        solved += 1
        assert n_solved(app) == solved


@pytest.mark.parametrize("lesson", SOME_LESSONS)
def test_hints_come_one_by_one_then_the_answer_and_it_is_not_counted(lesson, open_warm_page):
    exercise = next(e for e in exercises_of(lesson.slug) if e.kind == "number")
    key = f"{lesson.slug}_exercise_{exercise.id}"
    app = open_exercises(open_warm_page, lesson, exercise.id)
    before = len(app.info)
    app.button(key=f"{key}_hint").click().run()
    assert len(app.info) == before + 1
    app.button(key=f"{key}_hint").click().run()
    assert len(app.info) == before + 2
    answer(app, lesson, exercise, "-99")
    app.button(key=f"{key}_show").click().run()
    assert exercise.draw(learner(SEED)).answer in app.warning[-1].value.replace("\\", "")
    answer(app, lesson, exercise, exercise.draw(learner(SEED)).answer)
    assert app.success and n_solved(app) == 0


@pytest.mark.parametrize("lesson", SOME_LESSONS)
def test_new_numbers_are_new_and_clear_the_answers(lesson, open_warm_page):
    exercise = next(e for e in exercises_of(lesson.slug) if e.kind == "number")
    key = f"{lesson.slug}_exercise_{exercise.id}"
    app = open_exercises(open_warm_page, lesson, exercise.id)
    answer(app, lesson, exercise, exercise.draw(learner(SEED)).answer)
    assert n_solved(app) == 1
    app.button(key=f"{lesson.slug}_exercise_new_numbers").click().run()
    assert n_solved(app) == 0 and not app.text_input(key=f"{key}_answer").value
    assert "seed" not in app.query_params
    assert not app.exception


def test_who_gives_up_a_mask_sees_it_drawn(open_warm_page):
    lesson = next(each for each in LESSONS if each.slug == "attention_mask")
    exercise = next(e for e in exercises_of(lesson.slug) if e.kind == "mask")
    key = f"{lesson.slug}_exercise_{exercise.id}"
    app = open_exercises(open_warm_page, lesson, exercise.id)
    for _ in range(2):
        app.button(key=f"{key}_hint").click().run()
    app.button(key=f"{key}_check").click().run()
    app.button(key=f"{key}_show").click().run()
    assert "drawn above" in app.warning[-1].value
    assert app.session_state[f"{key}_mask"] == exercise.draw(learner(SEED)).answer


def test_two_visitors_get_different_seeds_and_a_link_gives_one(open_warm_page):
    def seed(**link: str) -> int:
        app = open_warm_page(LESSONS[0].file, subword_tokens_part="exercises", **link)
        return session.of(Exercises, app.session_state).by_lesson["subword_tokens"].seed

    assert len({seed() for _ in range(3)}) > 1
    assert seed(seed="4711") == 4711
    for name in ("empty", "minus one", "a huge number", "other digits", "script tag", "long"):
        value = LINK_VALUES[name]
        assert seed(seed=value) > 0, "a strange seed is replaced"
