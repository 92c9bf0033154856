"""The chi-square test: do counts fit the expected counts?

    chi2 = sum over categories of (observed - expected)^2 / expected
    p    = probability of a chi2 at least as large, if the expectation is right

A small p says that such counts are rare under the expectation. A large p says only that the
counts do not contradict it.

Source: Pearson 1900; p is the regularized incomplete gamma function (Abramowitz & Stegun, 26.4.19).

Read before this: counts.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SURPRISING, IMPOSSIBLE = 0.05, 0.001  # p below which the verdict is "surprising", and "no_fit"
FEWEST_EXPECTED = 5  # count of a category below which the test is unreliable (Cochran)

Verdict = Literal["fits", "surprising", "no_fit", "too_few"]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The outcome of a test of fit."""

    statistic: float  # chi2; 0 is a perfect fit
    degrees: int  # of freedom: how many of the counts could move
    p_value: float  # 0 to 1
    fewest_expected: float  # the smallest expected count

    @property
    def verdict(self) -> Verdict:
        """Return the outcome in one word."""
        if self.p_value < IMPOSSIBLE and self.fewest_expected >= 1:
            return "no_fit"
        if self.degrees == 0 or self.fewest_expected < FEWEST_EXPECTED:
            return "too_few"
        return "surprising" if self.p_value < SURPRISING else "fits"


def fit_of_proportions(observed: Sequence[float], expected: Sequence[float]) -> Fit:
    """Test counts of draws that each fall into exactly one category: Pearson's test.

    A category that was neither expected nor seen is left out; one that was seen but not
    expected cannot fit. Raises ValueError if the sums differ.

    >>> fit_of_proportions([16, 4], [10, 10]).statistic
    7.2
    """
    if len(observed) != len(expected) or not math.isclose(
        sum(observed), sum(expected), rel_tol=1e-9, abs_tol=1e-6
    ):
        raise ValueError(
            f"{len(observed)} counts that sum to {sum(observed)} against {len(expected)}"
            f" expectations that sum to {sum(expected)}: both must be equal"
        )
    pairs = [(o, e) for o, e in zip(observed, expected, strict=True) if o or e > 0]
    if any(e <= 0 for _, e in pairs):
        return Fit(statistic=math.inf, degrees=len(pairs) - 1, p_value=0.0, fewest_expected=1.0)
    return _fit(sum((o - e) ** 2 / e for o, e in pairs), len(pairs) - 1, [e for _, e in pairs])


def fit_of_choices(observed: Sequence[int], n_draws: int, rate: float, *, fixed: bool) -> Fit:
    """Test how often each of several items was chosen, all at one rate.

    Independent choices: each count is binomial, with variance n rate (1 - rate), and there are as
    many degrees of freedom as counts. `fixed`: each draw chose the same number of the items,
    without replacement, so the counts have a fixed sum. With k items this leaves k - 1 degrees of
    freedom and makes the variance larger by k / (k - 1).
    """
    n_items, mean = len(observed), n_draws * rate
    variance = mean * (1 - rate)
    if variance <= 0 or (fixed and n_items < 2):
        return _certain(observed, mean)
    if fixed:
        variance *= n_items / (n_items - 1)
    statistic = sum((count - mean) ** 2 for count in observed) / variance
    return _fit(statistic, n_items - fixed, [mean, n_draws - mean])


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return p: the probability that a chi-square variable is at least `statistic`.

    Raises ValueError unless `degrees` is at least 1 and the statistic not negative.

    >>> round(chi_square_tail(5.991, 2), 4)
    0.05
    """
    if degrees < 1 or not statistic >= 0:
        raise ValueError(
            f"chi2 {statistic} with {degrees} degrees of freedom: expected at least 0 and 1"
        )
    import torch  # not at the top: the masking lesson opens without it

    halves = torch.tensor([degrees / 2, statistic / 2], dtype=torch.float64)
    return torch.special.gammaincc(*halves).item()


def _fit(statistic: float, degrees: int, expected: Sequence[float]) -> Fit:
    return Fit(
        statistic=statistic,
        degrees=degrees,
        p_value=chi_square_tail(statistic, degrees) if degrees else 1.0,
        fewest_expected=min(expected, default=0.0),
    )


def _certain(observed: Sequence[int], mean: float) -> Fit:
    """Return the outcome where nothing is random: as expected, or impossible."""
    fits = all(count == mean for count in observed)
    return Fit(
        statistic=0.0 if fits else math.inf,
        degrees=0,
        p_value=1.0 if fits else 0.0,
        fewest_expected=mean if fits else max(1.0, mean),
    )
