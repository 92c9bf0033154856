"""When a model should rather say nothing: a threshold on its confidence, chosen on dev.

    confidence            the probability of the likeliest class
    confidence < t        doubtful: refused, "none of these"
    t                     the least one at which few enough of the rest are wrong, on dev

Two error rates are reported on test: of the sure predictions, and of the doubtful ones, which would
have been wrong. Confidence only helps where the model is less sure of its errors.

Source: Chow 1970 (the option to reject); Geifman & El-Yaniv 2017 (a threshold for a wanted error).
Departs: the error rate on dev itself is bounded, without their margin for chance; test shows it.

Read before this: metrics.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, kw_only=True)
class RefusalCounts:
    """Predictions of one part, sure or doubtful."""

    n_sure: int
    n_sure_wrong: int
    n_doubtful: int
    n_doubtful_wrong: int

    @property
    def n(self) -> int:
        """Return the number of all predictions."""
        return self.n_sure + self.n_doubtful

    @property
    def sure_error(self) -> float:
        """Return the proportion of wrong ones among the sure, 0 to 1; 0 if none is sure."""
        return self.n_sure_wrong / max(1, self.n_sure)

    @property
    def doubtful_error(self) -> float:
        """Return the proportion of wrong ones among the doubtful, 0 to 1; 0 if none is."""
        return self.n_doubtful_wrong / max(1, self.n_doubtful)


def choose_threshold(
    confidence: Sequence[float], is_right: Sequence[bool], *, most_wrong: float
) -> float:
    """Return the least confidence at which at most `most_wrong` of the sure ones are wrong.

    `most_wrong` is a proportion. Raises ValueError if even the surest ones are wrong more often.

    >>> choose_threshold([0.5, 0.6, 0.8, 0.9], [False, True, False, True], most_wrong=0.34)
    0.6
    """
    ranked = sorted(zip(confidence, is_right, strict=True), reverse=True)
    threshold, n_wrong = None, 0
    for n, (value, right) in enumerate(ranked, 1):
        n_wrong += not right
        is_last_of_alike = n == len(ranked) or ranked[n][0] < value
        if is_last_of_alike and n_wrong <= most_wrong * n:
            threshold = value
    if threshold is None:
        raise ValueError(
            f"no threshold leaves at most {most_wrong:.0%} wrong: allow more, or use a better model"
        )
    return threshold


def count_refusals(
    confidence: Sequence[float], is_right: Sequence[bool], threshold: float
) -> RefusalCounts:
    """Return how many predictions are sure and doubtful, and how many of each are wrong."""
    sure = [right for value, right in zip(confidence, is_right, strict=True) if value >= threshold]
    doubtful = [
        right for value, right in zip(confidence, is_right, strict=True) if value < threshold
    ]
    return RefusalCounts(
        n_sure=len(sure),
        n_sure_wrong=sure.count(False),
        n_doubtful=len(doubtful),
        n_doubtful_wrong=doubtful.count(False),
    )


def accuracy_by_confidence(
    confidence: Sequence[float], is_right: Sequence[bool], *, n_groups: int
) -> list[float]:
    """Return the proportion of right ones in groups of equal size, the least sure group first.

    Raises ValueError if there are fewer predictions than groups.

    >>> accuracy_by_confidence([0.9, 0.5, 0.6, 0.8], [True, False, True, True], n_groups=2)
    [0.5, 1.0]
    """
    n = len(confidence)
    if not 1 <= n_groups <= n:
        raise ValueError(f"{n_groups} groups of {n} predictions: choose from 1 to {n} groups")
    ranked = [right for _, right in sorted(zip(confidence, is_right, strict=True))]
    cuts = [n * group // n_groups for group in range(n_groups + 1)]
    return [sum(ranked[low:high]) / (high - low) for low, high in pairwise(cuts)]
