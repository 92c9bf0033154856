"""What the exercises of this lesson say to particular slips and tricks."""

import pytest

from mlm_core.exercises import encoders_today
from mlm_core.exercises.exercise import Task, check_answer, number_task
from tests.exercises.learners import learner


@pytest.mark.parametrize("name", ["reciprocal_ranks", "batch_loss"])
def test_each_named_mistake_of_a_search_has_its_own_hint(name: str, monkeypatch):
    drawn_mistakes = []

    def kept(*, mistakes: dict[str, float], **others) -> Task:
        drawn_mistakes.append(mistakes)
        return number_task(mistakes=mistakes, **others)

    monkeypatch.setattr(encoders_today, "number_task", kept)
    exercise = next(one for one in encoders_today.EXERCISES if one.id == name)
    for seed in range(60):
        task = exercise.draw(learner(seed))
        for mistake, wrong in drawn_mistakes.pop().items():
            assert check_answer(task, f"{wrong:.2f}").hint == mistake, f"seed {seed}"
