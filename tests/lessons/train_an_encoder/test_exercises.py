"""What the exercises of this lesson say to particular slips and tricks."""

from tests.exercises.learners import SEEDS, drawn, find


def test_the_rule_of_two_errors_is_asked_of_enough_pairs():
    exercise = find("nsp_ablation")
    counts = {drawn(exercise, seed).values["n_judged"] for seed in SEEDS}
    assert counts == {"64", "1,024"}
