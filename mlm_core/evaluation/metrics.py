"""Precision, recall, F1, the confusion matrix and Spearman's ρ: how predictions are scored.

    precision = hits / predicted      recall = hits / gold      F1 = 2 hits / (gold + predicted)

A hit is predicted and right. F1 is the harmonic mean of precision and recall. Of classes:

    confusion   row: the gold class    column: the predicted class    cell: how many examples
    accuracy    the diagonal over all
    macro-F1    the plain mean of each class's F1; a class that occurs in neither is left out

ρ is the correlation of two rankings; equal values share the mean of their ranks.

0/0 (precision, if nothing is predicted) counts as 0, as in conlleval and by default in seqeval.

Source: SLP3, its chapter on classification; van Rijsbergen 1979 (F); Spearman 1904. scikit-learn
and scipy give the same numbers (tested).

Read before this: ../shapes.py.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mlm_core.shapes import Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class Measures:
    """The three proportions, each 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, kw_only=True)
class Counts:
    """The counts that the proportions are made of."""

    n_hits: int
    n_gold: int
    n_predicted: int

    def __post_init__(self) -> None:
        """Refuse more hits than there are entities."""
        if not 0 <= self.n_hits <= min(self.n_gold, self.n_predicted):
            raise ValueError(
                f"{self.n_hits} hits of {self.n_gold} gold and {self.n_predicted} predicted"
                " entities: a hit is one of each, so there are at most as many"
            )

    @property
    def n_missed(self) -> int:
        """Return how many gold ones are not predicted: false negatives."""
        return self.n_gold - self.n_hits

    @property
    def n_false_alarms(self) -> int:
        """Return how many predicted ones are no hits: false positives."""
        return self.n_predicted - self.n_hits

    @property
    def measures(self) -> Measures:
        """Return precision, recall and F1.

        >>> Counts(n_hits=1, n_gold=4, n_predicted=2).measures
        Measures(precision=0.5, recall=0.25, f1=0.3333333333333333)
        """
        # Without a whole there is no hit, so any other divisor gives 0.
        return Measures(
            precision=self.n_hits / (self.n_predicted or 1),
            recall=self.n_hits / (self.n_gold or 1),
            f1=2 * self.n_hits / (self.n_gold + self.n_predicted or 1),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Confusion:
    """How many examples of each gold class have each predicted class."""

    counts: Int[Tensor, "gold predicted"]

    @property
    def by_class(self) -> tuple[Counts, ...]:
        """Return each class's hits, gold and predicted examples."""
        hits = self.counts.diagonal().tolist()
        n_gold, n_predicted = self.counts.sum(dim=1).tolist(), self.counts.sum(dim=0).tolist()
        return tuple(
            Counts(n_hits=n, n_gold=gold, n_predicted=predicted)
            for n, gold, predicted in zip(hits, n_gold, n_predicted, strict=True)
        )

    @property
    def accuracy(self) -> float:
        """Return the proportion of right predictions."""
        return self.counts.trace().item() / self.counts.sum().item()

    @property
    def macro_f1(self) -> float:
        """Return the mean F1 of the classes that occur."""
        occurring = [counts for counts in self.by_class if counts.n_gold + counts.n_predicted]
        return sum(counts.measures.f1 for counts in occurring) / len(occurring)

    @property
    def most_frequent_accuracy(self) -> float:
        """Return the accuracy of always predicting the most frequent gold class."""
        return self.counts.sum(dim=1).max().item() / self.counts.sum().item()


def confusion(
    gold: Sequence[Hashable], predicted: Sequence[Hashable], classes: Sequence[Hashable]
) -> Confusion:
    """Return the confusion matrix of the labels, in the order of `classes`.

    Raises ValueError if there is no example, or not one prediction for each.

    >>> confusion(["a", "a", "b"], ["a", "b", "b"], ["a", "b"]).counts
    tensor([[1, 1],
            [0, 1]])
    """
    if len(gold) != len(predicted) or not gold:
        raise ValueError(
            f"{len(gold)} labels and {len(predicted)} predictions: give one for each example,"
            " and at least one example"
        )
    row = {name: i for i, name in enumerate(classes)}
    counts = torch.zeros(len(classes), len(classes), dtype=torch.long)
    for label, other in zip(gold, predicted, strict=True):
        counts[row[label], row[other]] += 1
    return Confusion(counts=counts)


def spearman(
    first: Float[np.ndarray, " pair"],
    second: Float[np.ndarray, " pair"],
    times: Int[np.ndarray, "set pair"],
) -> Float[np.ndarray, " set"]:
    """Return ρ in each set, which has each pair so many `times`; NaN if all of one are equal.

    >>> spearman(np.array([0.1, 0.5, 0.9]), np.array([0.0, 1.0, 2.0]), np.array([[1, 1, 1]]))
    array([1.])
    """
    n = times.sum(axis=1, keepdims=True)
    a, b = (average_ranks(values, times) for values in (first, second))
    a, b = (ranks - (times * ranks).sum(axis=1, keepdims=True) / n for ranks in (a, b))
    spread = np.sqrt((times * a**2).sum(axis=1) * (times * b**2).sum(axis=1))
    together = (times * a * b).sum(axis=1)
    return np.divide(together, spread, out=np.full(len(times), np.nan), where=spread > 0)


def average_ranks(
    values: Float[np.ndarray, " pair"], times: Int[np.ndarray, "set pair"]
) -> Float[np.ndarray, "set pair"]:
    """Return each pair's rank in each set, 1 for the lowest; equal ones share the mean.

    >>> average_ranks(np.array([0.3, 0.1, 0.3]), np.array([[1, 1, 1]]))
    array([[2.5, 1. , 2.5]])
    """
    below = (values[:, None] < values) + (values[:, None] == values) / 2
    return times @ below + 0.5
