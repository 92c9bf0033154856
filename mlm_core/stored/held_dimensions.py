"""Stored: the bundled models' losses with each layer's largest dimension held at one value.

`make stored STORED=held_dimensions` makes the file.

Read before this: ../inside/switches.py, ../embeddings/isotropy.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

HELD_FILE = Path(__file__).parents[1] / "data" / "held_dimensions.json"


@dataclass(frozen=True, kw_only=True)
class HeldDimension:
    """The dimension that adds most to the mean cosine at one layer, and losses in nats."""

    layer: int
    dimension: int
    mean: float  # of the dimension over words drawn from our sentences
    loss_at_mean: float  # all tokens have this mean
    rise_error: float  # standard error of the rise at the mean, token by token
    loss_at_zero: float
    second: int  # the dimension that adds second most
    second_at_zero: float  # the loss


@dataclass(frozen=True, kw_only=True)
class HeldDimensions:
    """A model's loss on the masked tokens of some of our sentences, and by layer."""

    loss: float  # of the model as it is
    n_sentences: int
    n_masked: int
    layers: tuple[HeldDimension, ...]


def read_held(model_name: str) -> HeldDimensions:
    """Return what is stored of a bundled model."""
    stored = json.loads(HELD_FILE.read_text(encoding="utf-8"))[model_name]
    layers = tuple(HeldDimension(**one) for one in stored["layers"])
    return HeldDimensions(**stored | {"layers": layers})
