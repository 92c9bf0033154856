"""One training loop for every task: AdamW, warm-up, linear decay, clipping.

    for step in train(model, task, settings, seed=7):
        ...   the caller logs, saves, draws, or stops

A task gives batches and losses. The loop yields after every step, so the caller decides how
long it runs. Each step's random numbers come from (seed, step) alone: a loop that starts at step
500 with the state of step 500 gives the same steps as an uninterrupted one.

Source: Loshchilov & Hutter 2019 (AdamW); Devlin et al. 2019, appendix A.2 (the schedule);
transformers' get_linear_schedule_with_warmup for the rate of each step.
Departs: the warm-up counts steps from 1; in both originals the first update has rate 0.

Read before this: ../masking/batch.py; also adamw.py. Read next: ../prediction/masked_words.py.
"""

import hashlib
import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from torch import nn

from mlm_core.ranges import refuse_rates
from mlm_core.shapes import Float, Tensor
from mlm_core.training.adamw import AdamW


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How to train."""

    n_steps: int
    peak_learning_rate: float = 1e-3  # learning rate at the end of the warm-up
    warmup_proportion: float = 0.05  # of the steps
    weight_decay: float = 0.01  # not on biases and LayerNorm
    betas: tuple[float, float] = (0.9, 0.98)  # decay of AdamW's two moments
    epsilon: float = 1e-6
    max_grad_norm: float = 1.0  # larger gradients are clipped to this norm
    bfloat16: bool = False  # matrix products in half the bits, weights in float32
    check_every: int = 1  # steps between checks for a loss that is NaN or infinite

    def __post_init__(self) -> None:
        """Refuse impossible settings."""
        if self.n_steps < 1 or not self.peak_learning_rate > 0:
            raise ValueError(
                f"n_steps {self.n_steps} and peak_learning_rate {self.peak_learning_rate}: both"
                " must be above 0"
            )
        refuse_rates(self, "warmup_proportion", one=False)


@runtime_checkable
class Task(Protocol):
    """A task: a batch for each step, and the loss on it.

    Model and batch are Any: each task has classes of its own for them.
    """

    def batch(self, step: int, generator: torch.Generator) -> Any:
        """Return the batch of a step, the same for the same step and generator."""

    def loss(
        self, model: Any, batch: Any, /
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss and any measures of it."""

    def n_tokens(self, batch: Any, /) -> int:
        """Return how many tokens the model reads in a batch."""


@dataclass(frozen=True, kw_only=True)
class TrainingStep:
    """The results of one step. Tensors are on the device: reading one waits for it."""

    number: int  # steps done, this one included
    loss: Float[Tensor, ""]
    measures: dict[str, Float[Tensor, ""]]
    gradient_norm: Float[Tensor, ""]  # before clipping
    rate: float  # the learning rate
    n_tokens: int  # read by the model in this step


class NonFiniteLossError(RuntimeError):
    """The loss became infinite or NaN; the message says what to change."""


def train(
    model: nn.Module,
    task: Task,
    settings: TrainingSettings,
    *,
    seed: int,
    first_step: int = 0,
    optimizer: AdamW | None = None,
) -> Iterator[TrainingStep]:
    """Train `model` in place and yield every step, from `first_step` to the last.

    Pass the optimizer of the earlier part to continue an interrupted run.
    Raises NonFiniteLossError if the loss is infinite or NaN.
    """
    optimizer = make_optimizer(model, settings) if optimizer is None else optimizer
    device = next(model.parameters()).device
    precision = torch.autocast(device.type, torch.bfloat16) if settings.bfloat16 else nullcontext()
    model.train()
    for step in range(first_step, settings.n_steps):
        generator = generator_of_step(seed, step, device)
        optimizer.rate = rate = learning_rate_at(step, settings)
        batch = task.batch(step, generator)
        with precision:
            loss, measures = task.loss(model, batch)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), settings.max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()
        loss = loss.detach()
        is_checked = (step + 1) % settings.check_every == 0 or step + 1 == settings.n_steps
        if is_checked and not math.isfinite(loss.item()):
            raise NonFiniteLossError(
                f"the loss is {loss.item()} at step {step + 1}: lower the peak rate"
                f" ({settings.peak_learning_rate}) or lengthen the warm-up"
            )
        yield TrainingStep(
            number=step + 1,
            loss=loss,
            measures=measures,
            gradient_norm=norm,
            rate=rate,
            n_tokens=task.n_tokens(batch),
        )


def make_optimizer(model: nn.Module, settings: TrainingSettings) -> AdamW:
    """Return AdamW over the model's parameters, with the settings' values."""
    return AdamW(
        model.parameters(),
        rate=settings.peak_learning_rate,
        betas=settings.betas,
        epsilon=settings.epsilon,
        weight_decay=settings.weight_decay,
    )


def learning_rate_at(step: int, settings: TrainingSettings) -> float:
    """Return the learning rate of a step: linear warm-up, then linear decay.

    It is above 0 at every step, from the first (counted from 0) to the last.

    >>> settings = TrainingSettings(n_steps=100, peak_learning_rate=1.0, warmup_proportion=0.1)
    >>> [round(learning_rate_at(step, settings), 2) for step in (0, 9, 10, 55, 99)]
    [0.1, 1.0, 1.0, 0.5, 0.01]
    """
    n_warm = warmup_steps(settings)
    if step < n_warm:
        return settings.peak_learning_rate * (step + 1) / n_warm
    return settings.peak_learning_rate * ((settings.n_steps - step) / (settings.n_steps - n_warm))


def warmup_steps(settings: TrainingSettings) -> int:
    """Return the steps in which the learning rate rises."""
    return round(settings.n_steps * settings.warmup_proportion)


def generator_of_step(seed: int, step: int | str, device: torch.device | str) -> torch.Generator:
    """Return the random generator of one step, or of another use, named by a word.

    The generators of any two steps are independent.
    """
    digest = hashlib.sha256(f"{seed}/{step}".encode()).digest()
    generator = torch.Generator(device)
    return generator.manual_seed(int.from_bytes(digest[:7], "big"))
