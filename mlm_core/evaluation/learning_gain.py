"""What learners gained between two tests, and which misconceptions stay.

    g = (after - before) / (1 - before)

before, after    proportion of right answers, 0 to 1
g                the part of the possible improvement that was reached; 1 is all of it

Source: Hake 1998. The interval is a percentile bootstrap (Efron & Tibshirani 1993): whoever is
drawn brings both of their answers.
Departs: Hake's g is that of a class's mean scores in a whole test; here it is also that of one
question. Guessing isn't corrected: of four answers, a guess is right in one of four cases.

Read before this: bootstrap.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from mlm_core.evaluation.bootstrap import draw_times

WHEN = ("before", "after")  # a test is answered twice
SITTINGS = (*WHEN, "delayed")  # and in some studies once more, on another day
RIGHT = "right"  # the name of every question's right answer
N_RESAMPLES = 2_000
FEWEST = 10  # rows for an interval: fewer give too few different resamples
Answers = Mapping[str, str]  # by question, the name of the answer; "" for none


@dataclass(frozen=True, kw_only=True)
class Gain:
    """The gain of one question, or of several together."""

    n: int  # learners; questions, where one learner is alone
    before: float  # proportion right, 0 to 1
    after: float
    gain: float | None  # at most 1; None where nothing was missing before
    low: float | None  # of the 95 % interval; None with fewer than FEWEST, or where all are alike
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Held:
    """How often an answer was one misconception."""

    name: str
    n: int  # answers to questions that offer it, each given twice
    before: float  # proportion, 0 to 1
    after: float


def normalized_gain(
    before: Float[np.ndarray, "*set"], after: Float[np.ndarray, "*set"]
) -> Float[np.ndarray, "*set"]:
    """Return the part of the possible improvement that was reached; NaN where none was possible.

    >>> normalized_gain(np.array([0.5, 1.0]), np.array([0.75, 1.0]))
    array([0.5, nan])
    """
    missing = 1 - before
    return np.divide(after - before, missing, out=np.full_like(before, np.nan), where=missing > 0)


def gain_of(
    before: Bool[np.ndarray, "learner item"],
    after: Bool[np.ndarray, "learner item"],
    rng: np.random.Generator,
) -> Gain:
    """Return the gain of all questions together, with an interval over the learners.

    Raises ValueError if nobody answered, or not the same answered twice.
    """
    if before.shape != after.shape or not before.size:
        raise ValueError(
            f"answers {before.shape} before and {after.shape} after: give both of each learner"
        )
    n = len(before)
    scores = np.stack([before.mean(axis=1), after.mean(axis=1)], axis=1)
    mean = scores.mean(axis=0)
    gain, low, high = float(normalized_gain(mean[:1], mean[1:])[0]), np.nan, np.nan
    if n >= FEWEST and (scores != scores[0]).any():
        drawn = draw_times(n, N_RESAMPLES, rng) @ scores / n
        gains = normalized_gain(drawn[:, 0], drawn[:, 1])
        gains = gains[~np.isnan(gains)]
        if len(gains):
            low, high = np.quantile(gains, [0.025, 0.975]).tolist()
    known = [None if np.isnan(value) else value for value in (gain, low, high)]
    return Gain(
        n=n,
        before=float(mean[0]),
        after=float(mean[1]),
        gain=known[0],
        low=known[1],
        high=known[2],
    )


def gains_by_item(
    pairs: Sequence[tuple[Answers, Answers]], items: Sequence[str], rng: np.random.Generator
) -> dict[str, Gain]:
    """Return the gain of each question that somebody answered before and after."""
    found = {}
    for item in items:
        twice = [one for one in pairs if item in one[0] and item in one[1]]
        if twice:
            right = np.array([[one[item] == RIGHT for one in pair] for pair in twice])
            found[item] = gain_of(right[:, :1], right[:, 1:], rng)
    return found


def whole_gain(
    pairs: Sequence[tuple[Answers, Answers]], items: Sequence[str], rng: np.random.Generator
) -> Gain | None:
    """Return the gain of all questions together, None if nobody answered all of them twice.

    The interval is over the learners; over the questions where there is one learner alone.
    """
    names = set(items)
    twice = [pair for pair in pairs if all(names <= one.keys() for one in pair)]
    if not twice:
        return None
    before, after = (
        np.array([[pair[when][item] == RIGHT for item in items] for pair in twice])
        for when in (0, 1)
    )
    return gain_of(before.T, after.T, rng) if len(twice) == 1 else gain_of(before, after, rng)


def misconceptions(
    pairs: Sequence[tuple[Answers, Answers]], offered: Mapping[str, Sequence[str]]
) -> tuple[Held, ...]:
    """Return how often each misconception was chosen; those that stay most often come first.

    `offered` has the misconceptions among a question's answers; several may offer the same one.
    """
    counts: dict[str, list[int]] = {}
    for before, after in pairs:
        for item in [one for one in offered if one in before and one in after]:
            for name in offered[item]:
                count = counts.setdefault(name, [0, 0, 0])
                for i, is_one in enumerate((True, before[item] == name, after[item] == name)):
                    count[i] += is_one
    found = [
        Held(name=name, n=n, before=n_before / n, after=n_after / n)
        for name, (n, n_before, n_after) in counts.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.after, -one.before)))
