"""Stored: the bundled models' losses with each layer's largest dimension held at one value.

`make stored STORED=held_dimensions` makes the file.

Read before this: ../inside/switches.py, ../embeddings/isotropy.py.
"""

import json
from pathlib import Path
from typing import NamedTuple

HELD_FILE = Path(__file__).parents[1] / "data" / "held_dimensions.json"


class HeldDimension(NamedTuple):
    """The dimension that adds most to the mean cosine at one layer, and losses in nats."""

    layer: int
    dimension: int
    mean: float  # of the dimension over words drawn from our sentences
    loss_at_mean: float  # with this mean in all tokens
    rise_error: float  # standard error of the rise at the mean, token by token
    loss_at_zero: float
    second_dimension: int  # that adds second most
    second_at_zero: float  # the loss


class HeldDimensions(NamedTuple):
    """A model's loss on the masked tokens of some of our sentences, and by layer."""

    loss: float  # of the model as it is
    n_sentences: int
    n_masked: int
    layers: list[HeldDimension]


def read_held(model_name: str) -> HeldDimensions:
    """Return what is stored of a bundled model."""
    *about, layers = json.loads(HELD_FILE.read_text(encoding="utf-8"))[model_name]
    return HeldDimensions(*about, [HeldDimension(*one) for one in layers])
