"""The held-out figures: how well a model predicts text that it was not trained on.

The same seed gives the same texts and the same corruption, so that figures of one run, and of
two models with one vocabulary, can be compared.

Source: the masked_lm and next_sentence metrics of google-research/bert (run_pretraining.py).

Read before this: objectives.py.
"""

import sys
from contextlib import nullcontext
from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.masking.batch import KEPT, MASKED, RANDOM
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.pretraining.objectives import (
    BatchShape,
    PretrainingBatch,
    PretrainingLosses,
    PretrainingTask,
    pretraining_losses,
)


@dataclass(frozen=True, kw_only=True)
class HeldOutFigures:
    """Means over all predictions, and over all pairs."""

    masked_language_loss: float  # nats a chosen token
    masked_accuracy: float  # over all chosen tokens
    accuracy_at_masked: float  # over those shown as [MASK]
    accuracy_at_random: float  # over those shown as another word
    accuracy_at_kept: float  # over those shown as they are
    next_sentence_loss: float | None  # nats a pair; None without pairs
    next_sentence_accuracy: float | None
    n_predictions: int
    n_pairs: int


@torch.no_grad()
def evaluate(
    bert: Bert,
    task: PretrainingTask,
    shape: BatchShape,
    generator: torch.Generator,
    *,
    n_batches: int,
    bfloat16: bool = False,
) -> HeldOutFigures:
    """Return the figures over `n_batches` batches of one kind drawn from `task`."""
    was_training = bert.training
    bert.eval()
    sums = HeldOutSums(bert.device)
    # Compiled blocks run as written: another batch size would compile them again. If nothing is
    # compiled, the compiler is not imported, which takes 76 MB.
    is_compiled = "torch._dynamo" in sys.modules
    with torch.compiler.set_stance("force_eager") if is_compiled else nullcontext():
        for _ in range(n_batches):
            batch = task.draw(shape, generator)
            assert isinstance(batch, PretrainingBatch)
            with torch.autocast(bert.device.type, torch.bfloat16, enabled=bfloat16):
                losses = pretraining_losses(bert, batch)
            sums.add(batch, losses)
    bert.train(was_training)
    return sums.figures()


class HeldOutSums:
    """Sums over batches, and their means."""

    def __init__(self, device: torch.device | str = "cpu") -> None:
        """Start with no batch."""
        self._sums = torch.zeros(2, dtype=torch.float64, device=device)
        self._right, self._seen = (torch.zeros(3, device=device) for _ in range(2))
        self._pairs_right = self._n_pairs = torch.zeros((), device=device)
        self._has_pairs = False

    def add(self, batch: PretrainingBatch, losses: PretrainingLosses) -> None:
        """Count one batch."""
        self._sums[0] += losses.masked_language_loss * batch.n_predictions
        is_used = batch.labels != IGNORED_LABEL
        for branch in (MASKED, RANDOM, KEPT):
            in_branch = is_used & (batch.branches == branch)
            self._seen[branch] += in_branch.sum()
            self._right[branch] += (losses.is_right & in_branch).sum()
        if losses.next_sentence_loss is None:
            return
        assert losses.pair_is_right is not None and batch.pair_labels is not None
        self._has_pairs = True
        self._sums[1] += losses.next_sentence_loss * batch.n_pairs
        self._pairs_right = self._pairs_right + losses.pair_is_right.sum()
        self._n_pairs = self._n_pairs + (batch.pair_labels != IGNORED_LABEL).sum()

    def figures(self) -> HeldOutFigures:
        """Return the means over all batches so far."""
        n_predictions, n_pairs = self._seen.sum(), self._n_pairs
        by_branch = (self._right / self._seen.clamp(min=1)).tolist()
        pair_loss = pair_accuracy = None
        if self._has_pairs:
            pair_loss = float(self._sums[1] / n_pairs.clamp(min=1))
            pair_accuracy = float(self._pairs_right / n_pairs.clamp(min=1))
        return HeldOutFigures(
            masked_language_loss=float(self._sums[0] / n_predictions.clamp(min=1)),
            masked_accuracy=float(self._right.sum() / n_predictions.clamp(min=1)),
            accuracy_at_masked=by_branch[MASKED],
            accuracy_at_random=by_branch[RANDOM],
            accuracy_at_kept=by_branch[KEPT],
            next_sentence_loss=pair_loss,
            next_sentence_accuracy=pair_accuracy,
            n_predictions=int(n_predictions),
            n_pairs=int(n_pairs),
        )
