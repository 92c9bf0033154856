"""The exercises of this lesson solved by another route than the one that checks them."""

import statistics
from collections.abc import Iterator

import numpy as np

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import numbers_in


def random_cosine(task: Task) -> Iterator[str]:
    """From vectors with such a mean: a common direction, and the rest at equal angles around it."""
    n, length = task.values["n"], task.values["length"]
    around = np.eye(n) - 1 / n  # of mean 0
    around *= np.sqrt(1 - length**2) / np.linalg.norm(around[0])
    vectors = np.hstack([np.full((n, 1), length), around])
    yield f"{(vectors @ vectors.T)[~np.eye(n, dtype=bool)].mean():.2f}"


def largest_dimension(task: Task) -> Iterator[str]:
    """As the largest share of the mean product of words that lie around such a mean."""
    means = [float(x.replace("−", "-")) for x in task.values["means"].split("; ")]
    words = np.array(means) + np.random.default_rng(1).normal(size=(2_000, 5)) / 1_000
    parts = [(words[:1_000, i] @ words[1_000:, i]) / 1_000 for i in range(5)]
    yield f"{100 * max(parts) / (sum(parts) + float(task.values['rest'])):.1f} %"


def common_vector(task: Task) -> Iterator[str]:
    """By trying it out, with 60 vectors in 4,000 dimensions."""
    chance = np.random.default_rng(1)
    vectors = chance.standard_normal((61, 4_000))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = task.values["own"] * vectors[1:] + task.values["common"] * vectors[0]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # A cosine of two random directions deviates by 1/sqrt(4000) = 0.016; the mean of 1,770 pairs,
    # each with a share of the common direction, by less than a fifth of that.
    yield f"{(vectors @ vectors.T)[~np.eye(60, dtype=bool)].mean():.3f}"


def dimension_share(task: Task) -> Iterator[str]:
    first, second = (numbers_in(task.values[name]) for name in ("first", "second"))
    terms = [x * y for x, y in zip(first, second, strict=True)]
    yield f"{100 / (1 + sum(terms[1:]) / terms[0]):.1f} %"


def z_score(task: Task) -> Iterator[str]:
    numbers = numbers_in(task.values["numbers"])
    yield f"{(task.values['x'] - statistics.mean(numbers)) / statistics.pstdev(numbers):.2f}"
