"""Exercises of the lesson "isotropy".

Read before this: exercise.py, ../embeddings/isotropy.py.
"""

import math
from random import Random
from statistics import fmean, pstdev

from mlm_core.exercises.exercise import Exercise, Learner, Task, number_task
from mlm_core.number_format import formatted


def _z_score(learner: Learner, rng: Random) -> Task:
    """Ask for z of one number, in a dimension of five."""
    while True:
        numbers, x = rng.sample(range(-9, 21), 5), rng.randint(-9, 25)
        mean, spread = fmean(numbers), pstdev(numbers)
        away = x - mean
        right = away / spread
        if 0.5 < abs(right) < 3 and abs(x) > 1:
            break
    return number_task(
        right=right,
        tolerance=0.02,
        mistakes={
            "by_variance": away / spread**2,
            "one_less": away / (spread * math.sqrt(5 / 4)),
            "not_centred": x / spread,
            "not_divided": away,
            "turned": -right,
            "of_the_mean": mean / spread,
        },
        values={
            "numbers": ", ".join(map(str, numbers)),
            "x": x,
            "mean": formatted(mean, "g"),
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
    """Ask for the largest dimension's proportion of the mean cosine, from the mean vector."""
    while True:
        means = [rng.choice((-1, 1)) * rng.randint(2, 40) / 100 for _ in range(4)]
        means.append(-rng.randint(20, 80) / 100)  # its square is what counts
        squares, rest = [mean**2 for mean in means], rng.randint(1, 30) / 100
        total, highest = sum(squares) + rest, max(means)
        right, largest = 100 * squares[-1] / total, squares[-1]
        if total < 0.9 and largest > 1.2 * max(squares[:-1]) and highest > 0.1:
            break
    rng.shuffle(means)
    return number_task(
        right=right,
        tolerance=0.6,
        mistakes={
            "largest_value": 100 * highest**2 / total,
            "not_squared": 100 * math.sqrt(largest) / sum(map(abs, means)),
            "without_rest": 100 * largest / sum(squares),
            "of_one": 100 * largest,
        },
        values={
            "n_dimensions": rng.choice((256, 384, 512, 768)),
            "means": "; ".join(formatted(mean, ".2f") for mean in means),
            "squares": "; ".join(formatted(mean**2, ".4f") for mean in means),
            "rest": formatted(rest, ".2f"),
            "sum": formatted(total, ".4f"),
            "square": formatted(largest, ".4f"),
            "percent": formatted(right, ".1f"),
        },
        in_percent=True,
        answer=formatted(right, ".1f"),
    )


EXERCISES = (
    Exercise(id="random_cosine", kind="number", ask=_random_cosine),
    Exercise(id="common_vector", kind="number", ask=_common_vector),
    Exercise(id="dimension_share", kind="number", ask=_dimension_proportion),
    Exercise(id="largest_dimension", kind="number", ask=_largest_dimension),
    Exercise(id="z_score", kind="number", ask=_z_score),
)
