"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import numbers_in

# A typical mistake of a number, from the values of its question: it has its own hint.
MISTAKES = {
    "head_by_hand": lambda v: v["above"],
    "more_than_chance": lambda v: v["only_first"] - v["only_second"],
}


def head_by_hand(task: Task) -> Iterator[str]:
    """As one over the sum of e to the differences."""
    values = task.values
    h = numbers_in(values["h"])
    names = ("negative", "neutral", "positive")
    scores = {
        name: sum(x * values[f"w_{i}_{j}"] for i, x in enumerate(h, 1))
        for j, name in enumerate(names, 1)
    }
    own = scores[values["wanted"]]
    yield f"{1 / sum(math.exp(score - own) for score in scores.values()):.3f}"


def trained_numbers(task: Task) -> Iterator[str]:
    """From torch's own layers of these sizes."""
    from torch import nn

    d, n_classes, n_top = (task.values[name] for name in ("d", "n_classes", "n_top"))
    parts = [nn.Linear(d, n_classes, device="meta")]
    if task.variant == "cls":
        parts.append(nn.Linear(d, d, device="meta"))
    if task.variant == "top":
        layer = nn.TransformerEncoderLayer(d, nhead=1, dim_feedforward=4 * d, device="meta")
        parts += [layer] * n_top
    yield str(sum(p.numel() for part in parts for p in part.parameters()))


def two_measures(task: Task) -> Iterator[str]:
    def measures(name: str) -> tuple[float, float]:
        cells = [
            [task.values[f"{row}_{column}_{name}"] for column in order]
            for row, order in (("rare", ("hits", "missed")), ("common", ("missed", "hits")))
        ]
        table = np.array(cells, dtype=float)
        precision, recall = (np.diag(table) / table.sum(axis=axis) for axis in (0, 1))
        return np.trace(table) / table.sum(), np.mean(2 * precision * recall / (precision + recall))

    a, b = measures("a"), measures("b")
    yield "_".join("a" if one > other else "b" for one, other in zip(a, b, strict=True))


def one_word_apart(task: Task) -> Iterator[str]:
    words = {
        "positive": ("lovely", "wonderful", "delightful", "perfect", "superb"),
        "negative": ("awful", "terrible", "boring", "broken", "dreadful"),
        "neutral": ("blue", "open", "empty", "closed", "scheduled", "located"),
    }
    frames = (
        "The {} film was shown.",
        "The room was {}.",
        "The train is {}.",
        "It was a {} meal.",
        "The {} shop opens at nine on Monday.",
        "{} music.",
    )
    for frame in frames:
        for one, other in product(words[task.values["first"]], words[task.values["second"]]):
            yield f"{frame.format(one)}\n{frame.format(other)}"


def more_than_chance(task: Task) -> Iterator[str]:
    """As the root of McNemar's statistic, with the sign of the lead."""
    b, c = task.values["only_first"], task.values["only_second"]
    assert task.values["both"] + b == task.values["right_first"]
    assert task.values["both"] + c == task.values["right_second"]
    yield f"{math.copysign(math.sqrt((b - c) ** 2 / (b + c)), b - c):.2f}"
