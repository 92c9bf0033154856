"""The state of a fine-tuning after a piece of work; it never changes.

Only the trained weights are kept, in float16. A model made from them takes the frozen layers from
the encoder, and computes in float32.

Read before this: scores.py, settings.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import torch

from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.upper_layers import TrainedLayers
from mlm_core.labelled.examples import Dataset
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.tagging.bio_tags import Span, decode

FineTunePhase = Literal["preparing", "reading", "training", "finished"]


@dataclass(frozen=True, kw_only=True)
class FineTuneLoss:
    """The loss of one step; in long runs, the mean of the steps since the last point."""

    step: int
    loss: float  # nats, of the batch


@dataclass(frozen=True, kw_only=True)
class FineTuneTest:
    """The scores on the whole dev part, or the whole test part."""

    step: int
    loss: float  # nats
    proportion_right: float  # accuracy, exact match or word accuracy, 0 to 1
    f1: float  # macro, overlap or entity F1, 0 to 1


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedWeights:
    """The trained weights after a step."""

    step: int
    numbers: bytes = field(repr=False)  # of float16, in the order of parameters()
    used_ids: Int[Tensor, " used"] | None  # whose embeddings were trained


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredWeights:
    """The trained weights of a stored run, kept in the file until they are used.

    The file holds the changes since the start: int8 "moves", times one of "scales" for each tensor.
    """

    step: int
    file: Path


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """The model's predictions for the test examples."""

    step: int
    log_probabilities: tuple[Float[Tensor, "... class"], ...]
    predicted: tuple[str | tuple[str, ...], ...]  # the class, the answer, or the words' tags

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the predicted classes or answers."""
        return tuple(one for one in self.predicted if isinstance(one, str))

    @property
    def tags(self) -> tuple[tuple[str, ...], ...]:
        """Return the predicted tags of each sentence."""
        return tuple(one for one in self.predicted if isinstance(one, tuple))


@dataclass(frozen=True, eq=False, kw_only=True)
class RunSnapshot:
    """How far a run is, whatever it trains."""

    step: int = 0  # steps done
    n_steps: int = 0  # of the whole run; 0 while the data is being prepared
    seconds: float = 0.0  # of work, without waits between pieces of work
    seconds_before: float = 0.0  # before the first step
    proportion_read: float = 0.0  # of the texts, through the frozen layers
    n_trained: int = 0  # parameters that are trained; 0 while the data is being prepared
    losses: tuple[FineTuneLoss, ...] = ()

    @property
    def seconds_left(self) -> float | None:
        """Return the remaining time at the speed of the steps so far; None before step 1."""
        if not self.step:
            return None
        return (self.seconds - self.seconds_before) / self.step * (self.n_steps - self.step)


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuneSnapshot(RunSnapshot):
    """The state of a fine-tuning."""

    settings: FineTuneSettings
    phase: FineTunePhase
    # After each epoch or so: on the dev part, or on the test part of data without a dev part.
    tests: tuple[FineTuneTest, ...] = ()
    on_test: FineTuneTest | None = None  # measured once at the end, with the weights that are kept
    # None while the data is being prepared:
    dataset: Dataset | None = None
    n_left_out: int = 0  # training examples whose answer was cut off
    n_cut: int = 0  # examples that are longer than the window
    # None before the first test; with a dev part, there are no predictions before the end:
    predictions: Predictions | None = None
    weights: TrainedWeights | StoredWeights | None = None  # the best on dev, or the last

    @property
    def data(self) -> Dataset:
        """Return the examples of a run that has prepared them."""
        assert self.dataset is not None
        return self.dataset

    @property
    def step_of_weights(self) -> int:
        """Return the step whose weights are kept; -1 before the first test."""
        return -1 if self.weights is None else self.weights.step

    @property
    def tested(self) -> Predictions:
        """Return the predictions of a run that has made them."""
        assert self.predictions is not None
        return self.predictions

    @property
    def spans(self) -> list[tuple[Span, ...]]:
        """Return the entities that a tagger predicts in each test sentence."""
        return [decode(tags, self.settings.scheme, "conlleval") for tags in self.tested.tags]

    @property
    def result(self) -> FineTuneTest:
        """Return the scores on the test part if they are measured, else the last ones."""
        return self.on_test or self.tests[-1]


def mean_loss(points: Sequence[FineTuneLoss]) -> FineTuneLoss:
    """Return the mean of neighbouring points, at the step of the last one.

    >>> mean_loss([FineTuneLoss(step=1, loss=3.0), FineTuneLoss(step=2, loss=1.0)])
    FineTuneLoss(step=2, loss=2.0)
    """
    loss = sum(point.loss for point in points) / len(points)
    return FineTuneLoss(step=points[-1].step, loss=loss)


@torch.no_grad()
def keep_trained(model: TrainedLayers, step: int) -> TrainedWeights:
    """Return a copy of the trained weights, which training doesn't change."""
    numbers = torch.cat([parameter.flatten() for parameter in model.parameters()])
    used = None if model.embeddings is None else model.embeddings.used_ids
    halves = numbers.half().cpu().numpy()
    return TrainedWeights(step=step, numbers=halves.tobytes(), used_ids=used)
