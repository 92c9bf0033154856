"""AdamW: each weight takes steps of its own size, and matrices decay towards zero.

    m = b1 m + (1 - b1) g            first moment: running mean of the gradient
    v = b2 v + (1 - b2) g^2          second moment: running mean of its square
    w = w - rate (decay w + m' / (sqrt(v') + epsilon))      m' = m / (1 - b1^t), v' likewise

A weight whose gradient keeps its sign moves by about the rate at every step, however small the
gradient is. The decay is taken from the weight itself, not added to the gradient ("decoupled").

The arithmetic is torch's own fused function, the same as in torch.optim.AdamW (tested to the
last bit). torch's class is not used because its constructor imports the compiler, which takes
1 second and 76 MB.

Source: Loshchilov & Hutter 2019, algorithm 2; Kingma & Ba 2015. Biases and LayerNorm are not
decayed, as in google-research/bert.

`update_weight` does one step for one weight in plain numbers, every term named.

Read before this: ../encoder/bert.py.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.adamw import adamw

from mlm_core.shapes import Tensor

MOMENTS = ("exp_avg", "exp_avg_sq")  # m and v, by torch's names


@dataclass(frozen=True, kw_only=True)
class WeightUpdate:
    """Every term of one step of one weight."""

    number: int  # t, from 1
    rate: float  # of this step
    gradient: float  # g, after clipping
    first_moment: float  # m
    second_moment: float  # v
    first_corrected: float  # m' = m / (1 - b1^t)
    second_corrected: float  # v' = v / (1 - b2^t)
    step: float  # rate * m' / (sqrt(v') + epsilon), subtracted
    decay: float  # rate * weight_decay * w, subtracted
    before: float  # w
    after: float  # w - decay - step


def update_weight(
    weight: float,
    gradient: float,
    previous: WeightUpdate | None = None,
    *,
    rate: float,
    betas: tuple[float, float],
    epsilon: float,
    weight_decay: float,
) -> WeightUpdate:
    """Return one step of AdamW for one weight; `previous` is the step before it.

    Source: Kingma & Ba 2015, algorithm 1, for the moments and their correction; Loshchilov &
    Hutter 2019, algorithm 2, for the decay.

    >>> settings = {"betas": (0.9, 0.98), "epsilon": 1e-6, "weight_decay": 0.01}
    >>> round(update_weight(2.0, -3.0, rate=0.1, **settings).after, 4)
    2.098
    """
    number = 1 if previous is None else previous.number + 1
    first, second = betas
    m, v = (0.0, 0.0) if previous is None else (previous.first_moment, previous.second_moment)
    m = first * m + (1 - first) * gradient
    v = second * v + (1 - second) * gradient**2
    # Both moments start at 0, so the first ones are too small: the corrections undo that.
    first_corrected, second_corrected = m / (1 - first**number), v / (1 - second**number)
    step = rate * first_corrected / (math.sqrt(second_corrected) + epsilon)
    decay = rate * weight_decay * weight
    return WeightUpdate(
        number=number,
        rate=rate,
        gradient=gradient,
        first_moment=m,
        second_moment=v,
        first_corrected=first_corrected,
        second_corrected=second_corrected,
        step=step,
        decay=decay,
        before=weight,
        after=weight - decay - step,
    )


class AdamW:
    """An optimizer over a model's parameters. `rate` may be changed between steps."""

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        rate: float,
        betas: tuple[float, float],
        epsilon: float,
        weight_decay: float,
    ) -> None:
        """Take the parameters that require a gradient; vectors aren't decayed."""
        self.rate, self.betas, self.epsilon = rate, betas, epsilon
        wanted = [parameter for parameter in parameters if parameter.requires_grad]
        self.groups = (
            ([p for p in wanted if p.ndim > 1], weight_decay),
            ([p for p in wanted if p.ndim <= 1], 0.0),
        )
        self.state: dict[nn.Parameter, dict[str, Tensor]] = {}

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        for parameters, weight_decay in self.groups:
            moved: list[nn.Parameter] = [p for p in parameters if p.grad is not None]
            if not moved:
                continue
            states = [self._state_of(parameter) for parameter in moved]
            first, second = ([state[moment] for state in states] for moment in MOMENTS)
            adamw(
                [*moved],
                [p.grad for p in moved if p.grad is not None],
                first,
                second,
                [],
                [state["step"] for state in states],
                fused=True,
                amsgrad=False,
                maximize=False,
                beta1=self.betas[0],
                beta2=self.betas[1],
                lr=self.rate,
                weight_decay=weight_decay,
                eps=self.epsilon,
            )

    def zero_grad(self) -> None:
        """Delete all gradients."""
        for parameters, _ in self.groups:
            for parameter in parameters:
                parameter.grad = None

    def _state_of(self, parameter: nn.Parameter) -> dict[str, Tensor]:
        if parameter not in self.state:
            self.state[parameter] = {
                "step": torch.zeros((), device=parameter.device),
                **{moment: torch.zeros_like(parameter) for moment in MOMENTS},
            }
        return self.state[parameter]
