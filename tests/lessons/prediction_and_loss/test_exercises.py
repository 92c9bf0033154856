"""What the exercises of this lesson say to particular slips and tricks."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from mlm_core.exercises.exercise import NeedsModelError, Task, check_answer
from tests.exercises.learners import drawn, find, learner


def top_five_of(word: str) -> Task:
    """Return a task of that exercise that gives this word."""
    exercise = find("top_five")
    tasks = (drawn(exercise, seed) for seed in range(1, 200))
    return next(task for task in tasks if task.values["word"] == word)


@pytest.mark.parametrize(
    ("word", "inside"), [("city", "electricity"), ("door", "indoor"), ("team", "steam")]
)
def test_a_word_inside_another_is_not_the_word_itself(word: str, inside: str):
    task = top_five_of(word)
    assert check_answer(task, f"There was {inside} in the old [MASK].").hint != "word_given"
    assert check_answer(task, f"The {word.title()} is a [MASK] by the sea.").hint == "word_given"


@pytest.mark.parametrize(
    ("word", "form"), [("years", "year"), ("city", "cities"), ("children", "child")]
)
def test_another_form_of_the_word_is_refused_and_named(word: str, form: str):
    task = top_five_of(word)
    verdict = check_answer(task, f"There was a {form} in the old [MASK].")
    assert (verdict.hint, verdict.values["stands"]) == ("word_given", form)


def test_words_that_are_unknown_to_a_model_are_not_looked_for():
    """A vocabulary without their letters reads each as one token, [UNK]."""
    from mlm_core.text.tokens import train_tokenizer

    foreign = train_tokenizer("WordPiece", ["Собака и кошка спят у дома."], 60)
    model = SimpleNamespace(tokenizer=foreign)
    asks = replace(learner(1), model=lambda: model)
    exercise = find("top_five")
    with pytest.raises(NeedsModelError, match="needs_words"):
        exercise.draw(asks)
