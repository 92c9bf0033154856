"""How often the nearest sense is the right one: accuracy and macro-F1, layer by layer.

    accuracy   right choices / all choices
    F1(s)      2 right(s) / (chosen(s) + true(s))
    macro-F1   the mean of F1 over the senses, each counted alike however rare

Beside them stands what a program gets that always says the most frequent sense.

Source: SLP3 section 11.3.1; Coenen et al. 2019 report F1 on a standard data set. A sense that is
neither true of nor chosen for any point has no F1 and is left out, as in scikit-learn.

Read before this: word_senses.py. Read next: maps.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import Method, leave_one_out
from mlm_core.shapes import Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class SenseScore:
    """How well senses were chosen."""

    confusion: Int[Tensor, "true chosen"]  # points, by true and by chosen sense

    @property
    def n_points(self) -> int:
        """Return how many points were judged."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Return the share of right choices."""
        return self.confusion.trace().item() / self.n_points

    @property
    def f1_scores(self) -> tuple[float | None, ...]:
        """Return F1 of each sense; None for a sense that no point has or was given."""
        right = self.confusion.diagonal().tolist()
        totals = (self.confusion.sum(dim=0) + self.confusion.sum(dim=1)).tolist()
        return tuple(
            2 * r / total if total else None for r, total in zip(right, totals, strict=True)
        )

    @property
    def macro_f1_score(self) -> float:
        """Return the mean F1 of the senses."""
        known = [score for score in self.f1_scores if score is not None]
        return sum(known) / len(known)

    @property
    def most_frequent_accuracy(self) -> float:
        """Return the share of points that have the most frequent sense."""
        return self.confusion.sum(dim=1).max().item() / self.n_points


def score_senses(
    chosen: Int[Tensor, " point"], senses: Int[Tensor, " point"], n_senses: int
) -> SenseScore:
    """Return how the chosen senses compare with the true ones.

    Raises ValueError if there is no point.

    >>> score_senses(torch.tensor([0, 1, 1]), torch.tensor([0, 0, 1]), 2).confusion
    tensor([[1, 1],
            [0, 1]])
    """
    if not len(senses):
        raise ValueError("no point to score: give at least one sentence with a known sense")
    cells = torch.bincount(senses * n_senses + chosen, minlength=n_senses * n_senses)
    return SenseScore(confusion=cells.view(n_senses, n_senses))


def scores_by_layer(
    states: Float[Tensor, "layer sentence hidden"],
    senses: Int[Tensor, " sentence"],
    n_senses: int,
    groups: Int[Tensor, " sentence"] | None = None,
    *,
    method: Method = "centroids",
) -> tuple[SenseScore, ...]:
    """Return the leave-one-out score at each layer, from the embedding output up."""
    return tuple(
        score_senses(
            leave_one_out(vectors, senses, n_senses, groups, method=method).senses, senses, n_senses
        )
        for vectors in states
    )


def sentence_groups(sentences: Sequence[MarkedSentence]) -> Int[Tensor, " sentence"]:
    """Return a number for each sentence, the same for sentences of the same text.

    Small and large letters, spaces and the signs around words make no other sentence.
    """
    numbers: dict[str, int] = {}
    keys = [
        " ".join("".join(c if c.isalnum() else " " for c in s.text.casefold()).split()) or s.text
        for s in sentences
    ]
    return torch.tensor([numbers.setdefault(key, len(numbers)) for key in keys])
