"""What the exercises of this lesson say to particular slips and tricks."""

from mlm_core.exercises.exercise import check_answer
from pages.kit.exercises.feedback import section
from pages.server.course.words import read_words
from tests.exercises.learners import find, learner


def test_dividing_by_the_variance_has_a_hint_that_names_it():
    exercise = find("z_score")
    task = exercise.draw(learner(2))
    verdict = check_answer(task, task.values["by_variance"])
    assert verdict.hint == "by_variance"
    assert "divided by the variance" in section(
        read_words("exercises/isotropy"), exercise, task, verdict.hint
    )
