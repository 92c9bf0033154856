"""Two schedules in place of BERT's one task: a mask rate that falls, and causal steps first.

    falling_masks    30 % of the tokens are chosen in the first masked step, 15 % in the last
    causal_first     the first half of the steps predict the next word, the others hidden words

Source: Ankner et al. 2024 for the linear fall from 30 to 15 %; Marone et al. 2025 (mmBERT), who
lower the rate in three phases; Gisserot-Boukhlef et al. 2025 for causal steps before masked ones.
Departs: the causal half has no pairs, so that next-sentence prediction sees half of the texts.

Read before this: next_word.py, settings.py. Read next: held_out.py.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.shapes import Float, Tensor
from mlm_core.small_runs.settings import HIGHEST_MASK_RATE

CAUSAL_PROPORTION = 0.5  # of the steps


def falling_rate(step: int, n_steps: int, last: float) -> float:
    """Return the proportion of tokens to choose in a masked step, counted from 0.

    >>> [round(falling_rate(step, 4, 0.15), 2) for step in range(4)]
    [0.3, 0.25, 0.2, 0.15]
    """
    return HIGHEST_MASK_RATE + (last - HIGHEST_MASK_RATE) * step / max(1, n_steps - 1)


def with_rate(task: PretrainingTask, rate: float) -> PretrainingTask:
    """Return the same task, which chooses another proportion of the tokens."""
    changed = copy(task)
    changed.settings = replace(task.settings, mlm_probability=rate)
    return changed


class ScheduledTask:
    """For `training.loop.train`: a task for each step, which `task_at(step)` gives."""

    def __init__(self, task_at: Callable[[int], PretrainingTask]) -> None:
        """Take the schedule."""
        self.task_at = task_at

    def batch(self, step: int, generator: torch.Generator) -> Any:
        """Return the step's task with its batch."""
        task = self.task_at(step)
        return task, task.batch(step, generator)

    def loss(
        self, bert: Bert, task_and_batch: Any
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss of the step's task, and its measures."""
        task, batch = task_and_batch
        return task.loss(bert, batch)

    def n_tokens(self, task_and_batch: Any) -> int:
        """Return the tokens that the model reads, padding included."""
        task, batch = task_and_batch
        return task.n_tokens(batch)
