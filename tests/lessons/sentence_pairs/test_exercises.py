"""What the exercises of this lesson say to particular slips and tricks."""

from mlm_core.exercises.exercise import check_answer
from tests.exercises.learners import drawn, find


def test_a_copied_first_sentence_continues_nothing():
    task = drawn(find("two_continuations"), 1)
    first = task.values["first"]
    assert check_answer(task, f"{first}\nx").hint == "copies_example"
    assert check_answer(task, f"Yes, {first}\nStocks fell in Tokyo.").hint == "copies_example"
