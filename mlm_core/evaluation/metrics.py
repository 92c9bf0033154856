"""Precision, recall, F1 and the confusion matrix: how predictions are scored.

    precision = hits / predicted      recall = hits / gold      F1 = 2 hits / (gold + predicted)

A hit is predicted and right. F1 is the harmonic mean of precision and recall. Of classes:

    confusion   row: the gold class    column: the predicted class    cell: how many examples
    accuracy    the diagonal over all
    macro-F1    the plain mean of each class's F1; a class that occurs in neither is left out

0/0 (precision, if nothing is predicted) counts as 0, as in conlleval and by default in seqeval.

Source: SLP3, its chapter on classification; van Rijsbergen 1979 (F); scikit-learn gives the same
numbers (tested).

Read before this: ../shapes.py.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch

from mlm_core.shapes import Int, Tensor


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
