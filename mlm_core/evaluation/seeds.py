"""Is one way of training better than another, or did this test part favour it?

    p            mean share right of a variant, over its seeds
    SE(p)^2  =   p (1 - p) / n  +  s^2 / k        n test examples; k seeds, spread s
    SE(a - b)^2 = SE(a)^2 + SE(b)^2
    beyond chance:  |a - b| > 2 SE(a - b)

The first term is what another n examples would change (binomial), the second what another seed
would. Two standard errors leave a chance of about one in twenty of a false alarm, for each pair
that is looked at.

Source: any text on proportions; Dodge et al. 2020 (the seed alone moves a fine-tuning by points).
Departs: both variants were tested on the same examples, and their answers go together, so the
true error of a difference is smaller than this one. The verdict is careful: what it calls a
difference is one; what it doesn't may be. For shares near 0 or 1, the binomial error is too
small; Agresti & Coull's two added hits and misses mend that.

Read before this: ../finetuning/scores.py. Next to it: bootstrap.py, for taggers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

N_STANDARD_ERRORS = 2.0
ADDED = 2  # hits, and misses


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way of training, and the share of the test part that each of its seeds got right."""

    name: str
    shares: tuple[float, ...]  # 0 to 1; one for what doesn't depend on chance

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        if not self.shares or not all(0 <= share <= 1 for share in self.shares):
            raise ValueError(f"{self.name}: shares {self.shares}: give at least one, 0 to 1")

    @property
    def mean(self) -> float:
        """Return the mean over seeds."""
        return math.fsum(self.shares) / len(self.shares)

    @property
    def spread(self) -> float:
        """Return the standard deviation over seeds (n - 1); 0 for a single one."""
        if len(self.shares) < 2:
            return 0.0
        squares = math.fsum((share - self.mean) ** 2 for share in self.shares)
        return math.sqrt(squares / (len(self.shares) - 1))

    def standard_error(self, n_examples: int) -> float:
        """Return how far the mean may be off, for a test part of `n_examples`."""
        seeds = self.spread**2 / len(self.shares)
        return math.sqrt(standard_error(self.mean, n_examples) ** 2 + seeds)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two variants side by side."""

    first: Variant
    second: Variant
    difference: float  # of the means, -1 to 1
    standard_error: float  # of the difference

    @property
    def margin(self) -> float:
        """Return the difference that chance may well make."""
        return N_STANDARD_ERRORS * self.standard_error

    @property
    def is_beyond_chance(self) -> bool:
        """Return whether the difference is larger than the margin."""
        return abs(self.difference) > self.margin


def standard_error(share: float, n_examples: int) -> float:
    """Return the standard error of a share right on `n_examples` (Agresti & Coull).

    >>> round(standard_error(0.5, 96), 3), standard_error(1.0, 96) > 0
    (0.05, True)
    """
    if n_examples < 1 or not 0 <= share <= 1:
        raise ValueError(f"share {share} of {n_examples} examples: give 0 to 1, of at least one")
    n = n_examples + 2 * ADDED
    centre = (share * n_examples + ADDED) / n
    return math.sqrt(centre * (1 - centre) / n)


def compare(first: Variant, second: Variant, n_examples: int) -> Difference:
    """Return the lead of `first` over `second` on a test part of `n_examples`."""
    errors = [variant.standard_error(n_examples) for variant in (first, second)]
    return Difference(
        first=first,
        second=second,
        difference=first.mean - second.mean,
        standard_error=math.hypot(*errors),
    )


def compare_all(variants: Sequence[Variant], n_examples: int) -> tuple[Difference, ...]:
    """Return every pair, the better one first, in the order of `variants`."""
    found = []
    for one, other in combinations(variants, 2):
        better, worse = (one, other) if one.mean >= other.mean else (other, one)
        found.append(compare(better, worse, n_examples))
    return tuple(found)


def best_of(variants: Sequence[Variant]) -> Variant:
    """Return the variant with the highest mean; of two alike, the first."""
    return max(variants, key=lambda variant: variant.mean)
