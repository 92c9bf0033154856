"""Stored: the bundled models' losses without some heads, on ten sentences of lesson 11 each.

`make stored STORED=heads_off` makes the file: each head off alone, then one after another, the
least important first.

Read before this: ../inside/switches.py.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from mlm_core.inside.switches import Head

HEADS_FILE = Path(__file__).parents[1] / "data" / "heads_off.json"


def read_losses(model_name: str) -> tuple[tuple[str, ...], Mapping[tuple[Head, ...], float]]:
    """Return a model's sentences, and its loss on them in nats by the heads that are off."""
    stored = json.loads(HEADS_FILE.read_text(encoding="utf-8"))[model_name]
    losses = {tuple(Head(*one) for one in row["off"]): row["loss"] for row in stored["losses"]}
    return tuple(stored["sentences"]), losses
