"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator

from mlm_core.exercises.exercise import Task


def softmax_weight(task: Task) -> Iterator[str]:
    first, second, size = (task.values[name] for name in ("first", "second", "size"))
    yield f"{1 / (1 + math.exp((second - first) / math.sqrt(size))):.2f}"


def draw_mask(task: Task) -> Iterator[str]:
    k = task.values["k"]
    allowed = {
        "neighbours": lambda i, j: j in (i - 1, i, i + 1),
        "not_itself": lambda i, j: j != i,
        "prefix": lambda i, j: j < k or j <= i,
        "padding": lambda i, j: j < k,
        "two_texts": lambda i, j: (i < k and j < k) or (i >= k and j >= k),
    }[task.variant]
    rows = ("".join("1" if allowed(i, j) else "0" for j in range(6)) + "00" for i in range(6))
    yield "-".join(f"{int(row, 2):02x}" for row in rows)


def n_scores(task: Task) -> Iterator[str]:
    n, heads, layers = (task.values[name] for name in ("n", "heads", "layers"))
    yield str(sum(n for _ in range(n)) * heads * layers)


def which_mask(task: Task) -> Iterator[str]:
    padding, causal = ("batch", "shorter"), ("ahead", "cache")
    yield "padding" if task.variant in padding else "causal" if task.variant in causal else "token"


def same_vectors(task: Task) -> Iterator[str]:
    word, companion = task.values["word"], task.values["companion"]
    for first, second in (
        (f"was near the {companion} of an old house.", "said that she wanted more money."),
        (f"of the {companion} was very old.", "? No, I did not see it, he said."),
        (f"and the {companion} were old.", "was lost by the team last year."),
    ):
        yield f"The {word} {first}\nThe {word} {second}"
