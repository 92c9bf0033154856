"""The exercises of this lesson solved by another route than the one that checks them."""

import statistics
from collections.abc import Iterator

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import number

# A typical mistake of a number, from the values of its question: it has its own hint.
MISTAKES = {
    "reciprocal_ranks": lambda v: v["n_first"] / 4,
    "batch_loss": lambda v: v["loss_1"],
}


def reciprocal_ranks(task: Task) -> Iterator[str]:
    """As the mean of one over the places in the sorted rows."""
    places = []
    for query in range(1, 5):
        row = {name: number(task.values[f"cosine_{query}_{name}"]) for name in "ABCDE"}
        in_order = sorted(row, key=row.__getitem__, reverse=True)
        places.append(in_order.index(task.values[f"right_{query}"]) + 1)
    yield f"{statistics.mean(1 / place for place in places):.2f}"


def batch_loss(task: Task) -> Iterator[str]:
    """As torch's cross entropy of the table."""
    import torch

    rows = [[number(task.values[f"cosine_{i}_{j}"]) for j in (1, 2)] for i in (1, 2)]
    scores = torch.tensor(rows).double() / number(task.values["temperature"])
    yield f"{torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1])):.2f}"


def draw_reach(task: Task) -> Iterator[str]:
    n, reach = len(task.tokens), task.values["reach"]
    is_global = task.variant == "global_token"
    rows = (
        "".join(
            "1" if abs(i - j) <= reach or (is_global and 0 in (i, j)) else "0" for j in range(n)
        )
        for i in range(n)
    )
    yield "-".join(f"{int(row, 2):02x}" for row in rows)
