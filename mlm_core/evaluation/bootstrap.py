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

The middle 95 % of the drawn sets' values is an interval (percentile bootstrap): `estimate()`. Where
a model is right or wrong about each example, nothing need be drawn: with n_first examples that only
the first of two models gets right and n_second that only the second does, each drawn example adds
+1, -1 or 0 to the lead, so the lead of all drawn sets has a known distribution.

    lead           (n_first - n_second) / n
    McNemar's p    of n_first + n_second fair coins, so many heads and tails or fewer, two-sided

Source: SLP3 section 11.5.4 and its chapter on classification, where the test is explained;
Berg-Kirkpatrick et al. 2012, Fig 1; Efron & Tibshirani 1993; McNemar 1947 (exact: by the binomial
distribution).
Departs: Berg-Kirkpatrick et al. count delta(x_i) > 2 delta(x); SLP3 and this module count equality
too, which is common with few sentences and makes the test conservative. F1 of nothing is 0 here.
Of few examples on which two models differ, the interval is too narrow, so p must agree with it.

Read before this: metrics.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlm_core.shapes import Float, Int

SLACK = 1e-12  # equal leads may differ by rounding, and equality counts
MIDDLE = (0.025, 0.975)  # quantiles of a 95 % interval
DRAWN_AT_ONCE = 256  # resamples; bounds the memory to some megabytes for thousands of sentences


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


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """The outcome of a paired bootstrap test."""

    score_a: float  # F1 on the test set, 0 to 1
    score_b: float
    deltas: Float[np.ndarray, " resample"]  # delta(x_i), in the order of drawing
    n_as_large: int  # how many of them are at least 2 delta(x)
    first: tuple[Resample, ...]  # some of the drawn sets, in the order of drawing

    @property
    def delta(self) -> float:
        """Return the lead of A on the test set."""
        return self.score_a - self.score_b

    @property
    def p_value(self) -> float:
        """Return p, 0 to 1. A 0 means: below one in the number of resamples."""
        return self.n_as_large / len(self.deltas)


def f1_of(
    counts: Float[np.ndarray, "*set type 3"] | Int[np.ndarray, "*set type 3"],
) -> Float[np.ndarray, "*set"]:
    """Return micro F1 of one or many sets of sentences from their counts; 0/0 is 0."""
    hits, gold, predicted = np.moveaxis(counts.sum(axis=-2), -1, 0)
    return np.asarray(2 * hits / np.maximum(gold + predicted, 1))


def paired_bootstrap(
    counts_a: Int[np.ndarray, "sentence type 3"],
    counts_b: Int[np.ndarray, "sentence type 3"],
    n_resamples: int,
    rng: np.random.Generator,
    *,
    n_first: int = 0,
) -> Bootstrap:
    """Test whether the lead of A over B on the same sentences is significant.

    The result has the first `n_first` drawn sets, of those that are drawn at once.
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
    score_a, score_b = f1_of(both.sum(axis=1)).tolist()
    deltas, shown = [], ()
    for first in range(0, n_resamples, DRAWN_AT_ONCE):
        n_sets = min(DRAWN_AT_ONCE, n_resamples - first)
        times = draw_times(n_sentences, n_sets, rng).astype(np.float64)
        # Each sentence's counts times how often it was drawn, summed over sentences.
        summed = times @ both.reshape(2, n_sentences, n_types * 3)
        f1 = f1_of(summed.reshape(2, n_sets, n_types, 3))
        deltas.append(f1[0] - f1[1])
        if not first:
            rows = zip(times[:n_first].astype(int).tolist(), *f1.tolist(), strict=False)
            shown = tuple(Resample(times=tuple(row), score_a=a, score_b=b) for row, a, b in rows)
    found = np.concatenate(deltas)
    n_as_large = int((found >= 2 * (score_a - score_b) - SLACK).sum())
    return Bootstrap(
        score_a=score_a, score_b=score_b, deltas=found, n_as_large=n_as_large, first=shown
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
class Estimate:
    """A measure, or a difference of two, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Return whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    @property
    def direction(self) -> int:
        """Return 1 if a difference is clearly above 0, -1 if clearly below, 0 if neither."""
        return self.is_clear * (1 if self.value > 0 else -1)


def estimate(value: float, resampled: Float[np.ndarray, " set"]) -> Estimate:
    """Return a value with the middle 95 % of what the drawn sets give."""
    low, high = np.quantile(resampled, MIDDLE)
    return Estimate(value=float(value), low=float(low), high=float(high))


@dataclass(frozen=True, kw_only=True)
class PairedLead(Estimate):
    """The lead of one model over another on the same examples, -1 to 1."""

    n: int  # examples
    n_first: int  # that only the first model gets right
    n_second: int  # that only the second one gets right
    standard_error: float
    p_value: float  # McNemar's, exact, two-sided

    @property
    def is_clear(self) -> bool:
        """Return whether the interval excludes 0 and p is below 5 %."""
        return super().is_clear and self.p_value < 0.05


def paired_lead(first: Sequence[bool], second: Sequence[bool]) -> PairedLead:
    """Return how many more examples the first model gets right than the second, as a proportion.

    Raises ValueError if the models were tested on different numbers of examples, or on none.

    >>> found = paired_lead([True] * 9 + [False], [True] + [False] * 9)
    >>> found.value, round(found.low, 1), round(found.high, 1), round(found.p_value, 4)
    (0.8, 0.5, 1.0, 0.0078)
    """
    n = len(first)
    if not n or len(second) != n:
        raise ValueError(
            f"{n} and {len(second)} examples: say of the same examples, at least one, which ones"
            " each model gets right"
        )
    n_first = sum(a and not b for a, b in zip(first, second, strict=True))
    n_second = sum(b and not a for a, b in zip(first, second, strict=True))
    lead = (n_first - n_second) / n
    low, high = _middle_of_drawn_leads(n, n_first, n_second)
    n_differ = n_first + n_second
    tail = sum(math.comb(n_differ, k) for k in range(min(n_first, n_second) + 1))
    return PairedLead(
        value=lead,
        low=low,
        high=high,
        n=n,
        n_first=n_first,
        n_second=n_second,
        standard_error=math.sqrt((n_differ / n - lead**2) / n),
        p_value=min(1.0, 2 * tail / 2**n_differ),
    )


def _middle_of_drawn_leads(n: int, n_first: int, n_second: int) -> tuple[float, float]:
    """Return the quantiles of MIDDLE of the leads of all sets of `n` drawn examples."""
    of_one = np.array([n_second, n - n_first - n_second, n_first]) / n  # P(-1), P(0), P(+1)
    of_all = np.ones(1)
    for _ in range(n):
        of_all = np.convolve(of_all, of_one)
    low, high = np.searchsorted(of_all.cumsum(), MIDDLE)
    return float(low - n) / n, float(high - n) / n
