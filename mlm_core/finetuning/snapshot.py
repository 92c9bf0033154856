"""What others see of a fine-tuning: a picture of one moment that nothing changes any more.

Weights are kept in float16, half the memory, and only those that were trained; a model made from
them takes the others from the encoder it started from, and computes in float32.

Read before this: scores.py, settings.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch

from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.upper_layers import UpperLayers
from mlm_core.labelled.examples import Dataset
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr

FineTunePhase = Literal["preparing", "reading", "training", "finished"]


@dataclass(frozen=True, kw_only=True)
class FineTuneLoss:
    """The loss of one step; of a long run, the mean over a stretch that ends with `step`."""

    step: int
    loss: float  # nats, of the batch


@dataclass(frozen=True, kw_only=True)
class FineTuneTest:
    """A test on the whole test part."""

    step: int
    loss: float  # nats
    proportion_right: float  # accuracy, exact match or word accuracy, 0 to 1
    f1: float  # macro, overlap or entity F1, 0 to 1


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedWeights:
    """The trained numbers after a step: float16, in the order of the model's parameters."""

    step: int
    numbers: bytes
    used_ids: Int[Tensor, " used"] | None  # whose embeddings were trained


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredWeights:
    """The trained numbers of a stored run, which stay in its file until a model is made.

    It holds for each tensor how far its numbers went from their start: int8 "moves", times the
    tensor's own "scales".
    """

    step: int
    file: Path


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """What the model says of each test example, at the last test."""

    step: int
    log_probabilities: tuple[Float[Tensor, "... class"], ...]
    predicted: tuple[str | tuple[str, ...], ...]  # the class, the answer, or the words' tags


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuneSnapshot:
    """A run at one moment."""

    settings: FineTuneSettings
    phase: FineTunePhase
    step: int  # steps done
    n_steps: int  # of the whole run; 0 while the data is being prepared
    seconds: float  # of work, waits between pieces of work not counted
    seconds_before: float = 0.0  # of them, those before the first step
    proportion_read: float = 0.0  # of the texts that went through the frozen layers
    losses: tuple[FineTuneLoss, ...] = ()
    tests: tuple[FineTuneTest, ...] = ()
    # None while the data is being prepared:
    dataset: Dataset | None = None
    n_left_out: int = 0  # examples that can't be learnt from: their answer was cut off
    n_cut: int = 0  # examples of which the window took a part only
    n_trained: int = 0  # numbers that are trained
    # None before the first test:
    predictions: Predictions | None = None
    weights: TrainedWeights | StoredWeights | None = None

    @property
    def seconds_left(self) -> float | None:
        """Return the time that the rest will take at the speed of the steps so far; None at 0."""
        if not self.step:
            return None
        return (self.seconds - self.seconds_before) / self.step * (self.n_steps - self.step)


def mean_loss(points: Sequence[FineTuneLoss]) -> FineTuneLoss:
    """Return the mean of neighbouring points, at the step of the last one.

    >>> mean_loss([FineTuneLoss(step=1, loss=3.0), FineTuneLoss(step=2, loss=1.0)])
    FineTuneLoss(step=2, loss=2.0)
    """
    loss = sum(point.loss for point in points) / len(points)
    return FineTuneLoss(step=points[-1].step, loss=loss)


@torch.no_grad()
def keep_trained(model: UpperLayers, step: int) -> TrainedWeights:
    """Return a copy of the trained numbers that training leaves alone."""
    # One by one: all of them in float32 would be a second model.
    numbers = b"".join(parameter.half().cpu().numpy().tobytes() for parameter in model.parameters())
    used = None if model.embeddings is None else model.embeddings.used_ids
    return TrainedWeights(step=step, numbers=numbers, used_ids=used)
