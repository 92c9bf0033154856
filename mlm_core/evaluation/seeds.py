"""Is one way of training better than another, or is the difference due to chance?

    p            mean accuracy of a variant, over its seeds
    SE(p)^2      =  p (1 - p) / n  +  s^2 / k           n test examples; k seeds, deviation s
    SE(a - b)^2  =  SE(lead)^2  +  s_a^2 / k_a  +  s_b^2 / k_b
    significant:    |a - b| > t SE(a - b)               t = 2, and more with few seeds

The first term is the variance from the choice of test examples, the others from the seeds. Both
variants are tested on the same examples, so a difference has no two binomial variances but that of
the paired lead of their first seeds (bootstrap.py), which is mostly smaller. Three seeds estimate s
roughly, so t is Student's, with the degrees of freedom of Welch and Satterthwaite: 2.0 for a single
run, up to 4.3 if all the variance comes from three seeds. Of equal variants, at most about one pair
in twenty is called different.

The interval of a single proportion is Wilson's (1927), which stays between 0 and 1.

Source: any text on proportions; Welch 1947, Satterthwaite 1946; Dodge et al. 2020 (the seed alone
moves a fine-tuning by points).
Departs: a paired lead of one run of each also has a part of the seeds' variance, which is then
counted twice. For proportions near 0 or 1 the binomial error is too small; Agresti & Coull's two
added hits and misses correct it.

Read before this: metrics.py, bootstrap.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import stdev

from mlm_core.evaluation.bootstrap import paired_lead

ADDED = 2  # hits, and misses
Z_95 = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution
# The two-sided 5 % quantile of Student's t, by degrees of freedom. Source: NIST/SEMATECH
# e-Handbook of Statistical Methods, section 1.3.6.7.2.
T_QUANTILES = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 12: 2.179, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way of training, and the accuracy of each of its seeds on the test part."""

    name: str
    proportions: tuple[float, ...]  # 0 to 1; a single one if there is no seed
    right: tuple[bool, ...] = ()  # which test examples the first seed gets right; () if unknown

    def __post_init__(self) -> None:
        """Refuse numbers that are no proportions."""
        if not self.proportions or not all(0 <= proportion <= 1 for proportion in self.proportions):
            raise ValueError(f"{self.name}: shares {self.proportions}: give at least one, 0 to 1")

    @property
    def mean(self) -> float:
        """Return the mean over seeds."""
        return math.fsum(self.proportions) / len(self.proportions)

    @property
    def spread(self) -> float:
        """Return the standard deviation over seeds (n - 1); 0 for a single one."""
        return stdev(self.proportions) if len(self.proportions) > 1 else 0.0

    def standard_error(self, n_examples: int) -> float:
        """Return the standard error of the mean, for a test part of `n_examples`."""
        binomial = standard_error(self.mean, n_examples)
        return math.sqrt(binomial**2 + self.seed_variance)

    @property
    def seed_variance(self) -> float:
        """Return the variance of the mean that comes from the seeds."""
        return self.spread**2 / len(self.proportions)

    def margin(self, n_examples: int) -> float:
        """Return the half width of the 95 % interval of the mean, for `n_examples`."""
        return _margin([self], self.standard_error(n_examples))


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two variants side by side."""

    first: Variant
    second: Variant
    difference: float  # of the means, -1 to 1
    standard_error: float  # of the difference
    margin: float  # a larger difference is significant

    @property
    def is_significant(self) -> bool:
        """Return whether the difference is larger than the margin."""
        return abs(self.difference) > self.margin

    @property
    def direction(self) -> int:
        """Return 1 if the first variant is better, -1 if it is worse, 0 if neither is shown."""
        return self.is_significant * (1 if self.difference > 0 else -1)


def standard_error(proportion: float, n_examples: int) -> float:
    """Return the standard error of an accuracy on `n_examples` (Agresti & Coull).

    >>> round(standard_error(0.5, 96), 3), standard_error(1.0, 96) > 0
    (0.05, True)
    """
    if n_examples < 1 or not 0 <= proportion <= 1:
        raise ValueError(
            f"share {proportion} of {n_examples} examples: give 0 to 1, of at least one"
        )
    n = n_examples + 2 * ADDED
    centre = (proportion * n_examples + ADDED) / n
    return math.sqrt(centre * (1 - centre) / n)


def interval_of_proportion(count: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a proportion that was seen `count` times in `n`.

    >>> [round(end, 3) for end in interval_of_proportion(15, 100)]
    [0.093, 0.233]
    """
    share, z2 = count / n, Z_95**2
    centre, half = share + z2 / (2 * n), Z_95 * math.sqrt((share * (1 - share) + z2 / (4 * n)) / n)
    below, above = ((centre + side) / (1 + z2 / n) for side in (-half, half))
    return max(0.0, below), min(1.0, above)


def t_quantile(degrees: float) -> float:
    """Return the two-sided 5 % quantile of Student's t.

    Between two rows of the table the larger t counts. From 60 degrees on it is 2. Degrees that
    rounding made a little smaller than a row count as that row, and fewer than 1 as 1.

    >>> t_quantile(2), t_quantile(4.9), t_quantile(math.inf)
    (4.303, 2.776, 2.0)
    """
    return T_QUANTILES[max(row for row in T_QUANTILES if row <= max(1.0, degrees + 1e-9))]


def _margin(variants: Sequence[Variant], error: float) -> float:
    """Return t times the error of the variants' difference, or of a single one's mean."""
    # Only the variances from seeds are estimated, so only they have degrees of freedom.
    estimated = math.fsum(
        one.seed_variance**2 / (len(one.proportions) - 1)
        for one in variants
        if len(one.proportions) > 1
    )
    degrees = error**4 / estimated if estimated else math.inf
    return t_quantile(degrees) * error


def compare(first: Variant, second: Variant, error_of_lead: float | None = None) -> Difference:
    """Return the lead of `first` over `second` on the test part of both.

    `error_of_lead` is that of their first seeds where an example is not right or wrong, as in a
    bootstrap of F1. Without it, raises ValueError if they don't say, of the same examples, which
    ones their first seeds get right.
    """
    both = [first, second]
    if error_of_lead is None:
        error_of_lead = paired_lead(first.right, second.right).standard_error
    error = math.sqrt(error_of_lead**2 + math.fsum(one.seed_variance for one in both))
    return Difference(
        first=first,
        second=second,
        difference=first.mean - second.mean,
        standard_error=error,
        margin=_margin(both, error),
    )


@dataclass(frozen=True, kw_only=True)
class SeedMean:
    """A mean over seeds and its 95 % interval; no other variance is counted."""

    mean: float
    margin: float  # half the interval

    @property
    def is_clear(self) -> bool:
        """Return whether the interval excludes 0."""
        return abs(self.mean) > self.margin


def seed_mean(values: Sequence[float]) -> SeedMean:
    """Return the mean of one number a seed, or of its difference between two ways of training.

    Raises ValueError for fewer than two seeds.

    >>> found = seed_mean([1.0, 2.0])
    >>> found.mean, round(found.margin, 3), found.is_clear
    (1.5, 6.353, False)
    """
    if len(values) < 2:
        raise ValueError(f"{len(values)} seeds: give two or more")
    margin = t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return SeedMean(mean=math.fsum(values) / len(values), margin=margin)


def best_of(variants: Sequence[Variant]) -> Variant:
    """Return the variant with the highest mean; of equal ones, the first."""
    return max(variants, key=lambda variant: variant.mean)
