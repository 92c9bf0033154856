"""Choosing the best of several models by a test part, and what that does to its score.

    right[r, e]   whether model r is right on example e
    chosen        the model with the most right examples of the part; of equal ones, the first

The chosen model was lucky on the part as well as good, so its accuracy on other examples is lower
(regression to the mean). The smaller the part and the more models, the larger the gap.

Source: Cawley & Talbot 2010, "On over-fitting in model selection", section 4; SLP3 on training, dev
and test parts.

Read before this: metrics.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import torch

from mlm_core.shapes import Bool, Float, Tensor


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection:
    """One choice; accuracies from 0 to 1, one a model."""

    chosen: int
    on_part: Float[Tensor, " model"]
    on_others: Float[Tensor, " model"]  # of the examples outside the part

    @property
    def gap(self) -> float:
        """Return how much the chosen model's accuracy falls outside the part."""
        return float(self.on_part[self.chosen] - self.on_others[self.chosen])


@dataclass(frozen=True, kw_only=True)
class MeanSelection:
    """Means over several choices, each by a part of its own."""

    n: int
    on_part: float  # of the chosen models
    on_others: float
    all_on_others: float  # of all models
    n_lower: int  # choices whose model was less often right outside the part


def choose_by_part(right: Bool[Tensor, "model example"], part: Sequence[int]) -> Selection:
    """Choose the model that is best on the examples of the part.

    Raises ValueError if the part or the rest is empty.

    >>> right = torch.tensor([[True, True, False, False], [True, False, True, True]])
    >>> found = choose_by_part(right, [0, 1])
    >>> found.chosen, found.gap
    (0, 1.0)
    """
    inside = torch.zeros(right.shape[1], dtype=torch.bool)
    inside[list(part)] = True
    if inside.all() or not inside.any():
        raise ValueError(f"a part of {len(part)} of {right.shape[1]} examples: leave some out")
    on_part, on_others = (right[:, which].float().mean(dim=1) for which in (inside, ~inside))
    return Selection(chosen=int(on_part.argmax()), on_part=on_part, on_others=on_others)


def draw_part(n_examples: int, size: int, rng: Random) -> tuple[int, ...]:
    """Return the numbers of `size` examples, drawn without replacement."""
    return tuple(rng.sample(range(n_examples), size))


def repeat_selection(
    right: Bool[Tensor, "model example"], size: int, n: int, rng: Random
) -> MeanSelection:
    """Draw `n` parts, choose by each, and return the means."""
    parts = (draw_part(right.shape[1], size, rng) for _ in range(n))
    found = [choose_by_part(right, part) for part in parts]
    return MeanSelection(
        n=n,
        on_part=sum(float(one.on_part[one.chosen]) for one in found) / n,
        on_others=sum(float(one.on_others[one.chosen]) for one in found) / n,
        all_on_others=sum(float(one.on_others.mean()) for one in found) / n,
        n_lower=sum(one.gap > 0 for one in found),
    )
