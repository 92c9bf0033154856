"""Every exercise is solved rightly and wrongly, for many seeds; nothing typed breaks one."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import pytest

from mlm_core.exercises.by_lesson import LESSONS, exercises_of
from mlm_core.exercises.exercise import (
    NeedsModelError,
    NeedsTextError,
    UnreadableAnswerError,
    check_answer,
    read_number,
)
from mlm_core.number_format import ENGLISH, GERMAN, written_with
from pages.kit.exercises.feedback import section
from pages.server.course.words import read_words
from tests.exercises.learners import (
    EVERY,
    REMEMBER,
    SEEDS,
    WRONG,
    drawn,
    drawn_for,
    find,
    first_answer,
    learner,
    number,
    solutions,
)
from tests.hostile import TEXTS

NUMBERS = [each for each in EVERY if each.values[1].kind == "number"]
# Each answer to one of these takes passes of the model.
RUNS_MODEL = (
    *("same_vectors", "two_continuations", "top_five", "map_neighbours"),
    *("place_in_sense", "fool_it", "one_word_apart"),
    *("needed_head", "settled_layer", "they_disagree"),
)


def seeds_of(exercise) -> tuple[int, ...]:
    return SEEDS[:2] if exercise.id in RUNS_MODEL else SEEDS


def answers_of(exercise, seed: int) -> Iterator[str]:
    yield first_answer(exercise, seed)
    yield from islice(solutions(exercise, drawn(exercise, seed)), 1, None)


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_an_answer_found_by_another_route_is_right(lesson, exercise):
    words = read_words(f"exercises/{lesson}")
    for seed in seeds_of(exercise):
        task = drawn(exercise, seed)
        verdicts = (check_answer(task, answer) for answer in answers_of(exercise, seed))
        right = next((verdict for verdict in verdicts if verdict.outcome == "right"), None)
        assert right is not None, f"seed {seed}: no answer is right for {task.values}"
        assert section(words, exercise, task, "explanation", right.values)


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_a_wrong_answer_is_wrong_and_its_hint_can_be_said(lesson, exercise):
    words = read_words(f"exercises/{lesson}")
    for seed in seeds_of(exercise):
        task = drawn(exercise, seed)
        right = first_answer(exercise, seed)
        wrong = [option for option in task.options if option != right] or [WRONG[exercise.kind]]
        for answer in wrong:
            verdict = check_answer(task, answer)
            assert verdict.outcome == "wrong"
            if verdict.hint is not None:
                assert section(words, exercise, task, verdict.hint, verdict.values)


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_a_seed_repeats_neighbours_differ_and_the_answer_that_is_shown_is_right(lesson, exercise):
    for seed in SEEDS[:2]:
        task, again = drawn(exercise, seed), exercise.draw(learner(seed))
        assert task.values == again.values and task.variant == again.variant
    for task in drawn_for(exercise):
        if task.answer is not None:
            assert check_answer(task, task.answer).outcome == "right"
    asked = {(repr(task.values), task.variant) for task in drawn_for(exercise)}
    assert len(asked) >= 3, "nearly all learners have the same question"
    if exercise.kind == "number":
        with written_with(GERMAN):
            task = exercise.draw(learner(7))
            assert check_answer(task, task.answer).outcome == "right", "in German"


@pytest.mark.parametrize(("lesson", "exercise"), EVERY)
def test_no_answer_breaks_an_exercise(lesson, exercise):
    task = exercise.draw(learner(7))
    numbers = ("nan", "NaN", "inf", "-inf", "1e999", "1/0", "%", "/", "9" * 40, "٣", "0x1f", "--1")
    for text in (*TEXTS.values(), *numbers, "a\nb", "\n", "🙂\n<b>"):
        verdict = check_answer(task, text)
        assert verdict.outcome in ("wrong", "unreadable", "right")
        if not text.strip():
            assert verdict.hint == "empty"
        if verdict.outcome == "unreadable":
            assert read_words("exercises").section(verdict.hint, **verdict.values)


def test_any_sentence_of_the_learner_gives_a_task_or_says_what_it_needs():
    of_a_text = [exercise for name in LESSONS for exercise in exercises_of(name)]
    of_a_text = [exercise for exercise in of_a_text if exercise.uses_text]
    for text, exercise in product(TEXTS.values(), of_a_text):
        try:
            task = exercise.draw(learner(3, text[:600]))
        except NeedsTextError as error:
            assert error.args[0] >= 4
        else:
            assert check_answer(task, task.answer).outcome == "right", (exercise.id, text)


@pytest.mark.parametrize(
    ("marks", "texts", "read"),
    [
        (ENGLISH, ("3", " 1,234 ", "1,5", "0,250", "2/8"), (3, 1234, 1.5, 0.25, 0.25)),
        (ENGLISH, ("12 %", "1.386", "1,386"), (0.12, 1.386, 1386)),
        (GERMAN, ("1,386", "0.693", "23.440.896"), (1.386, 0.693, 23440896)),
        (GERMAN, ("1\u202f234,5", "1.386"), (1234.5, "ambiguous")),
        (
            ENGLISH,
            ("", "three", "1,2,3", "nan", "∞", "1e999", "1/0", "<b>1</b>", "1 or 2"),
            ("no_number",) * 9,
        ),
    ],
)
def test_a_number_is_read_as_people_write_it_or_said_to_be_none(marks, texts, read):
    for text, wanted in zip(texts, read, strict=True):
        with written_with(marks):
            if isinstance(wanted, str):
                with pytest.raises(UnreadableAnswerError, match=wanted):
                    read_number(text)
            else:
                assert read_number(text) == pytest.approx(wanted)


@pytest.mark.parametrize(("lesson", "exercise"), NUMBERS)
def test_each_known_mistake_is_wrong_and_has_a_hint_that_can_be_said(lesson, exercise):
    """One mistake may give the number of another, whose hint is then read: rarely, and not all."""
    words, with_own_hint = read_words(f"exercises/{lesson}"), set()
    tasks = [drawn(exercise, seed) for seed in SEEDS]
    for task in tasks:
        for name, wrong in task.mistakes.items():
            verdict = check_answer(task, f"{wrong:.12f}" if math.isfinite(wrong) else "-1")
            assert verdict.outcome == "wrong", name
            if verdict.hint == name:
                assert "{{" not in section(words, exercise, task, name, verdict.values)
                with_own_hint.add(name)
    assert with_own_hint == {name for task in tasks for name in task.mistakes}


def test_a_model_without_switch_or_pair_head_is_said():
    class Other:
        bert = None

    for name in ("same_vectors", "two_continuations"):
        exercise = find(name)
        asks = learner(1)
        asks = type(asks)(seed=1, tokenizer=asks.tokenizer, model=Other)
        with pytest.raises(NeedsModelError) as error:
            exercise.draw(asks)
        assert "{{model}}" not in read_words("exercises").section(str(error.value), model="m")


def test_an_encoder_of_a_small_run_takes_the_exercises_too():
    """Its window holds 32 tokens, and most of the words are pieces or unknown to it."""
    from mlm_core.small_runs.snapshot import model_at
    from mlm_core.stored.runs import read_stored

    model = model_at(read_stored("default"))
    asks = replace(learner(3), tokenizer=lambda: model.tokenizer, model=lambda: model)
    words = read_words("exercises/word_senses")
    for exercise in exercises_of("word_senses"):
        task = exercise.draw(asks)
        assert "{{" not in section(words, exercise, task, "question")
        for answer in (task.answer, *islice(solutions(exercise, task), 3)):
            if answer is not None:
                verdict = check_answer(task, answer)
                name = verdict.hint or "explanation"
                assert verdict.outcome in ("right", "wrong")
                assert section(words, exercise, task, name, verdict.values)


def test_what_takes_long_is_made_once_for_all_learners():
    made = []

    def remember(name, make):
        made.append(name)
        return REMEMBER(name, make)

    for lesson in ("train_an_encoder", "word_senses"):
        for exercise in exercises_of(lesson):
            exercise.draw(replace(learner(3), remember=remember))
    again = set(made)
    for exercise in exercises_of("train_an_encoder"):
        exercise.draw(replace(learner(4), remember=remember))
    assert set(made) == again, "another learner needs nothing new"


@pytest.mark.parametrize(
    ("name", "of_shown"),
    [
        ("paired_seeds", lambda of: math.sqrt(3) * of("mean") / of("spread")),
        ("two_patches", lambda of: round(of("of_word") + of("of_blank") - of("of_both"), 1)),
    ],
)
def test_who_goes_on_with_the_numbers_that_are_shown_is_right(name, of_shown):
    for seed in range(300):
        task = find(name).draw(learner(seed))
        answer = of_shown(lambda value, task=task: number(task.values[value]))
        assert check_answer(task, f"{answer:.2f}").outcome == "right", task.values
        assert "points" not in task.values or answer == number(task.values["points"])
