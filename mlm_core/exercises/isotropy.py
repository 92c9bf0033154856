"""Exercises of the lesson "isotropy".

Read before this: exercise.py, ../embeddings/isotropy.py.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import Exercise, Learner, Task, number_task
from mlm_core.number_format import formatted
from mlm_core.text import corpora

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel

N_SENTENCES, N_WORDS = 80, 320  # that a model's mean cosine is taken from
N_LARGEST = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # dimensions that are asked about together
SAMPLE_SEED = 0  # the same words for all learners, since reading them takes a second


def _z_score(learner: Learner, rng: Random) -> Task:
    """Ask for z of one number, in a dimension of five."""
    import torch

    from mlm_core.embeddings.postprocessing import standardize

    while True:
        numbers, x = rng.sample(range(-9, 21), 5), rng.randint(-9, 25)
        column = torch.tensor(numbers).double()[:, None]  # words of one dimension
        mean, deviation = column.mean(dim=0), column.std(dim=0, correction=0)
        right = standardize(torch.tensor([x]).double(), mean, deviation).item()
        if 0.5 < abs(right) < 3 and abs(x) > 1:
            break
    away, spread = x - mean.item(), deviation.item()
    return number_task(
        right=right,
        tolerance=0.02,
        mistakes={
            "by_variance": away / spread**2,
            "one_less": away / column.std(correction=1).item(),
            "not_centred": x / spread,
            "not_divided": away,
            "turned": -right,
            "of_the_mean": mean.item() / spread,
        },
        values={
            "numbers": ", ".join(map(str, numbers)),
            "x": x,
            "mean": formatted(mean.item(), "g"),
            "away": formatted(away, "g"),
            "variance": formatted(spread**2, ".2f"),
            "deviation": formatted(spread, ".3f"),
            "z": formatted(right, ".2f"),
            "by_variance": formatted(away / spread**2, ".3f"),
        },
        answer=formatted(right, ".2f"),
    )


def _dimension_proportion(learner: Learner, rng: Random) -> Task:
    """Ask for the proportion of a cosine that comes from one large dimension."""
    wanted = rng.uniform(0.5, 0.98)
    while True:
        first, second = ([rng.randint(3, 15), *_small(rng)] for _ in range(2))
        products = [x * y for x, y in zip(first, second, strict=True)]
        is_wanted = sum(products) > 0 and abs(products[0] / sum(products) - wanted) < 0.02
        if is_wanted and _cosine(first[1:], second[1:]) < 0.6:
            break
    right = 100 * products[0] / sum(products)
    lengths = math.hypot(*first) * math.hypot(*second)
    return number_task(
        right=right,
        tolerance=0.6,
        mistakes={
            "part_of_one": 100 * products[0] / lengths,
            "one_in_four": 25,
            "the_others": 100 - right,
            "the_cosine": 100 * sum(products) / lengths,
            "product": products[0],
        },
        values={
            "first": ", ".join(map(str, first)),
            "second": ", ".join(map(str, second)),
            "products": ", ".join(map(str, products)),
            "product": products[0],
            "sum": sum(products),
            "cosine": formatted(sum(products) / lengths, ".2f"),
            "without": formatted(_cosine(first[1:], second[1:]), ".2f"),
            "percent": formatted(right, ".1f"),
        },
        in_percent=True,
        answer=formatted(right, ".1f"),
    )


def _small(rng: Random) -> list[int]:
    return [rng.choice((-4, -3, -2, -1, 1, 2, 3, 4)) for _ in range(3)]


def _cosine(first: list[int], second: list[int]) -> float:
    dot = sum(x * y for x, y in zip(first, second, strict=True))
    return dot / (math.hypot(*first) * math.hypot(*second))


def _common_vector(learner: Learner, rng: Random) -> Task:
    """Ask for the mean cosine of random vectors after adding one common vector."""
    while True:
        own, common = rng.sample(range(1, 16), 2)
        right = expected_cosine(own, common)
        if 0.15 < right < 0.9:
            break
    return number_task(
        right=right,
        tolerance=0.015,
        mistakes={
            "lengths": common / (own + common),
            "not_squared": common / math.hypot(own, common),
            "ratio": common / own,
            "ratio_of_squares": common**2 / own**2,
            "own_part": 1 - right,
            "still_zero": 0,
        },
        values={
            "own": own,
            "common": common,
            "own_squared": own**2,
            "common_squared": common**2,
            "sum": own**2 + common**2,
            "cosine": formatted(right, ".3f"),
        },
        answer=formatted(right, ".3f"),
    )


def expected_cosine(own: float, common: float) -> float:
    """Return the expected cosine of random vectors after adding one to all.

    `own` is the length of the random ones, `common` that of the added one. In many dimensions
    random vectors are at right angles to each other and to any other, so x + c and y + c have
    the inner product |c|² and both the squared length |x|² + |c|².

    >>> expected_cosine(3, 4)
    0.64
    """
    return common**2 / (own**2 + common**2)


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelCorpus:
    """Measurements of a model on random words."""

    mean_cosines: tuple[float, ...]  # of each layer, from the embedding output up
    # Of each layer: how many dimensions, and what the largest of them are of its mean cosine.
    largest: tuple[tuple[tuple[int, float], ...], ...]


def _random_cosine(learner: Learner, rng: Random) -> Task:
    """Ask for the mean cosine of a few vectors of length 1, from the length of their mean."""
    while True:
        n, length = rng.randint(3, 9), rng.randint(30, 96) / 100
        right = (n * length**2 - 1) / (n - 1)
        if 0.05 < right < 0.93:
            break
    return number_task(
        right=right,
        tolerance=0.006,
        mistakes={"not_squared": length, "with_themselves": length**2},
        values={
            "n": n,
            "length": length,
            "squared": formatted(length**2, ".4g"),
            "pairs": n**2,
            "others": n**2 - n,
            "cosine": formatted(right, ".3f"),
        },
        answer=formatted(right, ".3f"),
    )


def _largest_dimension(learner: Learner, rng: Random) -> Task:
    """Ask for a guess: the proportion of a few dimensions in the mean cosine at a layer."""
    model, corpus = _corpus(learner)
    percents = [(100 * p, layer, n) for layer, row in enumerate(corpus.largest) for n, p in row]
    wanted = rng.uniform(min(percents)[0], max(percents)[0])
    percent, layer, n = min(percents, key=lambda one: abs(one[0] - wanted))
    even = 100 * n / model.hidden_size
    return number_task(
        right=percent,
        tolerance=1.5,
        mistakes={"even": even},
        values={
            "layer": layer,
            "n_largest": n,
            "n_dimensions": model.hidden_size,
            "percent": formatted(percent, ".0f"),
            "even": formatted(even, ".1f"),
            "by_layer": ", ".join(formatted(100 * dict(row)[n], ".0f") for row in corpus.largest),
            "cosine": formatted(corpus.mean_cosines[layer], ".2f"),
        },
        in_percent=True,
        says_direction=True,
        answer=formatted(percent, ".0f"),
    )


def _corpus(learner: Learner) -> "tuple[MaskedLanguageModel, ModelCorpus]":
    model, language = learner.model(), learner.language
    name = f"random words by {model.name}, {language}"
    return model, learner.remember(name, lambda: read_corpus(model, language))


def read_corpus(model: "MaskedLanguageModel", language: str = "en") -> ModelCorpus:
    """Return the measurements of a model on words drawn from our sentences of a language."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.isotropy import dimension_proportions, sample_words

    rng = Random(SAMPLE_SEED)
    sample = sample_words(rng.sample(corpora.sentences(language), N_SENTENCES), N_WORDS, rng)
    states = all_layers_word_vectors(model, sample.words).states
    proportions = [dimension_proportions(vectors, sample.groups) for vectors in states]
    return ModelCorpus(
        mean_cosines=tuple(each.mean_cosine for each in proportions),
        largest=tuple(
            tuple((n, each.proportions.topk(n).values.sum().item()) for n in N_LARGEST)
            for each in proportions
        ),
    )


EXERCISES = (
    Exercise(id="random_cosine", kind="number", ask=_random_cosine),
    Exercise(id="common_vector", kind="number", ask=_common_vector),
    Exercise(id="dimension_share", kind="number", ask=_dimension_proportion),
    Exercise(id="largest_dimension", kind="guess", ask=_largest_dimension),
    Exercise(id="z_score", kind="number", ask=_z_score),
)
