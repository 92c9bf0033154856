"""The exercises of this lesson solved by another route than the one that checks them."""

import math
import statistics
from collections.abc import Iterator

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import number


def reciprocal_ranks(task: Task) -> Iterator[str]:
    """As the mean of one over the places in the sorted rows."""
    places = []
    for query in range(1, 5):
        row = {name: number(task.values[f"cosine_{query}_{name}"]) for name in "ABCDE"}
        in_order = sorted(row, key=row.__getitem__, reverse=True)
        places.append(in_order.index(task.values[f"right_{query}"]) + 1)
    yield f"{statistics.mean(1 / place for place in places):.2f}"


def best_baseline(task: Task) -> Iterator[str]:
    """As the root of McNemar's statistic, with the sign of the lead."""
    best = max("abcd", key=lambda way: task.values[f"hits_{way}"])
    only, other = task.values[f"only_{best}"], task.values[f"other_{best}"]
    assert task.values["trained"] - only + other == task.values[f"hits_{best}"]
    yield f"{math.copysign(math.sqrt((only - other) ** 2 / (only + other)), only - other):.2f}"


def max_sim(task: Task) -> Iterator[str]:
    """From the sorted rows, whose last number is the best."""
    lead = 0.0
    for name, sign in (("a", 1), ("b", -1)):
        for i in (1, 2, 3):
            row = sorted(number(task.values[f"{name}_{i}_{j}"]) for j in (1, 2, 3))
            lead += sign * row[-1] / 3
    yield f"{lead:.2f}"


def batch_loss(task: Task) -> Iterator[str]:
    """As torch's cross entropy of the table."""
    import torch

    rows = [[number(task.values[f"cosine_{i}_{j}"]) for j in (1, 2)] for i in (1, 2)]
    scores = torch.tensor(rows).double() / number(task.values["temperature"])
    yield f"{torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1])):.2f}"


def paired_seeds(task: Task) -> Iterator[str]:
    """As the t of scipy's paired test."""
    from scipy.stats import ttest_rel

    changed, usual = (
        [number(task.values[f"{name}_{k}"]) for k in (1, 2, 3)] for name in ("changed", "usual")
    )
    yield f"{ttest_rel(changed, usual).statistic:.2f}"


def draw_reach(task: Task) -> Iterator[str]:
    n, reach = len(task.tokens), task.values["reach"]
    of_all = n  # no token
    if task.variant == "global_token":
        of_all = task.tokens.index(task.values["first"])
    rows = (
        "".join("1" if abs(i - j) <= reach or of_all in (i, j) else "0" for j in range(n))
        for i in range(n)
    )
    yield "-".join(f"{int(row, 2):02x}" for row in rows)
