"""Stored runs with static and with dynamic masking; `make stored STORED=masking` makes them.

Read before this: ../small_runs/static_masking.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from mlm_core.small_runs.static_masking import Way

RESULTS_FILE = Path(__file__).parents[1] / "data" / "static_masking.json"
SEEDS = (1, 2, 3, 4)


@dataclass(frozen=True, kw_only=True)
class MaskingRun:
    """One run: a way to mask and a seed."""

    way: Way
    seed: int
    steps: tuple[int, ...]  # at which it was tested
    held_out: tuple[float, ...]  # loss, nats a token
    training: tuple[float, ...]  # mean loss of the passes since the last test


def read_runs() -> tuple[MaskingRun, ...]:
    """Return the stored runs."""
    rows = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    lists = ("steps", "held_out", "training")
    return tuple(MaskingRun(**(row | {name: tuple(row[name]) for name in lists})) for row in rows)
