"""The exercises of this lesson solved by another route than the one that checks them."""

import statistics
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np

from mlm_core.exercises.exercise import Task
from mlm_core.text import corpora
from tests.exercises.learners import bundled_model, numbers_in


@cache
def random_words() -> tuple[np.ndarray, np.ndarray]:
    """Return all layers' vectors of length 1 of random words, and their sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.isotropy import sample_words

    rng = Random(0)
    sample = sample_words(rng.sample(corpora.sentences(), 80), 320, rng)
    states = all_layers_word_vectors(bundled_model(), sample.words).states.double().numpy()
    unit = states / np.linalg.norm(states, axis=2, keepdims=True)
    return unit, np.array(sample.sentence_numbers)


def random_cosine(task: Task) -> Iterator[str]:
    """From vectors with such a mean: a common direction, and the rest at equal angles around it."""
    n, length = task.values["n"], task.values["length"]
    around = np.eye(n) - 1 / n  # of mean 0
    around *= np.sqrt(1 - length**2) / np.linalg.norm(around[0])
    vectors = np.hstack([np.full((n, 1), length), around])
    yield f"{(vectors @ vectors.T)[~np.eye(n, dtype=bool)].mean():.2f}"


def largest_dimension(task: Task) -> Iterator[str]:
    """As the largest of the means of the products over all pairs, one dimension at a time."""
    unit, sentences = random_words()
    vectors = unit[task.values["layer"]]
    elsewhere = sentences[:, None] != sentences[None]
    parts = sorted(np.outer(column, column)[elsewhere].mean() for column in vectors.T)
    yield f"{100 * sum(parts[-task.values['n_largest'] :]) / sum(parts):.1f} %"


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
