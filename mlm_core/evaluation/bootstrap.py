"""The paired bootstrap: is tagger A better than B, or is its lead due to chance?

    delta(x) = F1 of A on x - F1 of B on x          on the test set x of n sentences
    x_1 ... x_b                                     n sentences drawn from x with replacement
    p = proportion of the x_i with delta(x_i) >= 2 delta(x)

"Paired" means that both taggers are scored on the same drawn sentences. The deltas of the drawn
sets are distributed around delta(x). Under the null hypothesis they would be distributed around 0,
so the distribution is shifted by -delta(x): a lead of delta(x) there is one of 2 delta(x) here. A
small p says that such a lead is improbable under the null hypothesis. The test is one-sided: is A
better?

Each sentence is scored once: its hits, gold and predicted entities (count_pairs of
../tagging/scores.py). A drawn set's counts are sums of them:

    sentence   0  1  2  3  4  5
    drawn      1  0  3  0  1  1     six of six sentences; 1 and 3 are left out

On average a set leaves out a proportion (1 - 1/n)^n of the n sentences, about 1/e = 0.37.

Source: SLP3 section 11.5.4 and its chapter on classification, where the test is explained;
Berg-Kirkpatrick et al. 2012, Fig 1; Efron & Tibshirani 1993.
Departs: Berg-Kirkpatrick et al. count delta(x_i) > 2 delta(x); SLP3 and this module count equality
too, which is common with few sentences and makes the test conservative. F1 of nothing is 0 here.

Read before this: metrics.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mlm_core.shapes import Float, Int

Average = Literal["micro", "macro"]
AVERAGES: tuple[Average, ...] = get_args(Average)
SLACK = 1e-12  # equal leads may differ by rounding, and equality counts
DRAWN_AT_ONCE = 256  # resamples; bounds the memory to some megabytes for thousands of sentences


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """The outcome of a paired bootstrap test."""

    average: Average
    score_a: float  # F1 on the test set, 0 to 1
    score_b: float
    deltas: Float[np.ndarray, " resample"]  # delta(x_i), in the order of drawing
    n_as_large: int  # how many of them are at least 2 delta(x)

    @property
    def delta(self) -> float:
        """Return the lead of A on the test set."""
        return self.score_a - self.score_b

    @property
    def p_value(self) -> float:
        """Return p, 0 to 1. A 0 means: below one in the number of resamples."""
        return self.n_as_large / len(self.deltas)


def f1_of(
    counts: Float[np.ndarray, "*set type 3"] | Int[np.ndarray, "*set type 3"], average: Average
) -> Float[np.ndarray, "*set"]:
    """Return F1 of one or many sets of sentences from their counts; 0/0 is 0.

    Macro takes the mean over the types that occur in a set's gold or predicted entities.
    """
    if average not in AVERAGES:
        raise ValueError(f"average {average!r}: choose one of {', '.join(AVERAGES)}")
    if average == "micro":
        counts = counts.sum(axis=-2, keepdims=True)
    n_entities = counts[..., 1] + counts[..., 2]
    f1 = 2 * counts[..., 0] / np.maximum(n_entities, 1)
    return np.asarray(f1.sum(axis=-1) / np.maximum((n_entities > 0).sum(axis=-1), 1))


def paired_bootstrap(
    counts_a: Int[np.ndarray, "sentence type 3"],
    counts_b: Int[np.ndarray, "sentence type 3"],
    n_resamples: int,
    rng: np.random.Generator,
    average: Average = "micro",
) -> Bootstrap:
    """Test whether the lead of A over B on the same sentences is significant.

    Raises ValueError if the counts are not of the same gold entities, or nothing is drawn.
    """
    if counts_a.shape != counts_b.shape or (counts_a[..., 1] != counts_b[..., 1]).any():
        raise ValueError(
            "the taggers were scored on other gold entities: give the counts of both on the same"
            " sentences and types, in the same order"
        )
    n_sentences, n_types, _ = counts_a.shape
    if n_sentences < 1 or n_resamples < 1:
        raise ValueError(f"{n_resamples} draws of {n_sentences} sentences: give at least 1 of each")
    both = np.stack([counts_a, counts_b]).astype(np.float64)
    score_a, score_b = f1_of(both.sum(axis=1), average).tolist()
    deltas = []
    for first in range(0, n_resamples, DRAWN_AT_ONCE):
        n_sets = min(DRAWN_AT_ONCE, n_resamples - first)
        times = draw_times(n_sentences, n_sets, rng).astype(np.float64)
        # Each sentence's counts times how often it was drawn, summed over sentences.
        summed = times @ both.reshape(2, n_sentences, n_types * 3)
        f1 = f1_of(summed.reshape(2, n_sets, n_types, 3), average)
        deltas.append(f1[0] - f1[1])
    found = np.concatenate(deltas)
    n_as_large = int((found >= 2 * (score_a - score_b) - SLACK).sum())
    return Bootstrap(
        average=average, score_a=score_a, score_b=score_b, deltas=found, n_as_large=n_as_large
    )


def draw_times(
    n_sentences: int, n_sets: int, rng: np.random.Generator
) -> Int[np.ndarray, "set sentence"]:
    """Return how often each sentence is in each set, drawn with replacement.

    >>> draw_times(5, 2, np.random.default_rng(0)).sum(axis=1)
    array([5, 5])
    """
    drawn = rng.integers(n_sentences, size=(n_sets, n_sentences))
    # One count over all sets at once: set s has the numbers from s * n_sentences on.
    numbered = drawn + n_sentences * np.arange(n_sets)[:, None]
    return np.bincount(numbered.ravel(), minlength=n_sets * n_sentences).reshape(n_sets, -1)


@dataclass(frozen=True, kw_only=True)
class Resample:
    """One drawn set and the scores of both taggers on it."""

    times: tuple[int, ...]  # how often each sentence was drawn
    score_a: float  # F1, 0 to 1
    score_b: float

    @property
    def delta(self) -> float:
        """Return the lead of A on this set."""
        return self.score_a - self.score_b

    @property
    def n_left_out(self) -> int:
        """Return how many sentences were not drawn."""
        return self.times.count(0)


def first_resamples(
    counts_a: Int[np.ndarray, "sentence type 3"],
    counts_b: Int[np.ndarray, "sentence type 3"],
    n_first: int,
    n_resamples: int,
    rng: np.random.Generator,
    average: Average = "micro",
) -> tuple[Resample, ...]:
    """Return the first sets that `paired_bootstrap` draws from an equal `rng`.

    `n_resamples` is how many it draws in all. Raises ValueError if `n_first` is more than are
    drawn at once.
    """
    n_drawn = min(DRAWN_AT_ONCE, n_resamples)
    if not 1 <= n_first <= n_drawn:
        raise ValueError(f"the first {n_first} of {n_drawn} drawn sets: ask for 1 to {n_drawn}")
    # All are drawn together, as paired_bootstrap does, so that the draws are the same.
    times = draw_times(len(counts_a), n_drawn, rng)[:n_first]
    summed = [np.einsum("ns,stc->ntc", times, counts) for counts in (counts_a, counts_b)]
    scores_a, scores_b = (f1_of(counts, average).tolist() for counts in summed)
    return tuple(
        Resample(times=tuple(row.tolist()), score_a=a, score_b=b)
        for row, a, b in zip(times, scores_a, scores_b, strict=True)
    )
