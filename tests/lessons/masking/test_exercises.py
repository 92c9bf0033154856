"""What the exercises of this lesson say to particular slips and tricks."""

from mlm_core.exercises.exercise import check_answer
from tests.exercises.learners import SEEDS, drawn, find


def test_the_fixed_count_is_asked_where_known_errors_give_another_number():
    exercise = find("count_chosen")
    for seed in SEEDS:
        task = drawn(exercise, seed)
        n, right = task.values["n"], task.values["right"]
        for wrong in (f"{0.15 * n:.2f}", str(int(0.15 * n)), str(round(0.15 * (n - 2)))):
            assert wrong != str(right) and check_answer(task, wrong).outcome != "right"
