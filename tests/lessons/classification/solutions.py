"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator

import numpy as np

from mlm_core.exercises.exercise import Task


def head_by_hand(task: Task) -> Iterator[str]:
    """As one over the sum of e to the differences."""
    values = task.values
    h = [float(x.replace("−", "-")) for x in values["h"].split("; ")]
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
    words = {"positive": "lovely", "negative": "terrible", "neutral": "open"}
    pair = (words[task.values[name]] for name in ("first", "second"))
    yield "\n".join(f"The room was {one} that day." for one in pair)


def more_than_chance(task: Task) -> Iterator[str]:
    """As the root of McNemar's statistic, with the sign of the lead."""
    b, c = task.values["only_first"], task.values["only_second"]
    assert task.values["both"] + b == task.values["right_first"]
    assert task.values["both"] + c == task.values["right_second"]
    yield f"{math.copysign(math.sqrt((b - c) ** 2 / (b + c)), b - c):.2f}"
