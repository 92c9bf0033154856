"""What the exercises of this lesson say to particular slips and tricks."""

from dataclasses import replace

import pytest

from mlm_core.exercises.exercise import NeedsModelError, check_answer
from mlm_core.exercises.tasks.own_words import words_apart
from tests.exercises.learners import drawn, find, hint_on, learner


@pytest.mark.parametrize(
    ("first", "second", "n"),
    [
        ("It is good.", "It is good!", 0),
        ("It is good.", "It is bad.", 1),
        ("It is good.", "It is not good.", 1),
        ("good", "", 1),
        ("It is good here.", "Bad it is here.", 3),
    ],
)
def test_words_apart_are_counted_without_marks_and_case(first: str, second: str, n: int):
    assert words_apart(first, second) == words_apart(second, first) == n


def test_sentences_further_apart_than_a_word_are_told():
    assert hint_on("one_word_apart", "It is good here.\nIt is GOOD, here!") == "nothing_changed"
    assert hint_on("one_word_apart", "It is good here.\nThat was bad here.") == "too_far_apart"
    assert hint_on("one_word_apart", "It is on Monday.\nIt is on Tuesday.") == "same_class"


def test_a_model_that_the_classifier_was_not_trained_on_is_told():
    class Other:
        name = "another"

    with pytest.raises(NeedsModelError, match="needs_bundled"):
        find("one_word_apart").draw(replace(learner(1), model=Other))


def test_two_words_are_no_two_sentences():
    task = drawn(find("one_word_apart"), 1)
    assert check_answer(task, "lovely\nboring").hint == "too_few_words"
