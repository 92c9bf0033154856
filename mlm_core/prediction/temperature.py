"""The temperature of a prediction, and how unsure it is.

    softmax(u / T)       T > 1 flattens the distribution, T < 1 sharpens it
    H = -sum y log y     its entropy, in nats

The likeliest token stays the likeliest at every temperature.

Read before this: fillers.py.
"""

import math

import torch

from mlm_core.shapes import Float, Tensor


def at_temperature(
    logits: Float[Tensor, "*position vocabulary"], temperature: float
) -> Float[Tensor, "*position vocabulary"]:
    """Return softmax(u / T). Raises ValueError if T is not positive and finite.

    >>> at_temperature(torch.tensor([0.0, math.log(9.0)]), 2.0).round(decimals=4).tolist()
    [0.25, 0.75]
    """
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature {temperature}: choose one above 0")
    return (logits / temperature).softmax(dim=-1)


def entropy(probabilities: Float[Tensor, " vocabulary"]) -> float:
    """Return the entropy in nats: 0 if one token is certain, log V if all are equally likely.

    >>> round(entropy(torch.full((8,), 1 / 8)), 4) == round(math.log(8), 4)
    True
    """
    return -torch.special.xlogy(probabilities, probabilities).sum().item()
