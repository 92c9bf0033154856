"""Stored runs with static and with dynamic masking; `make stored STORED=masking` makes them.

Read before this: ../small_runs/static_masking.py.
"""

from dataclasses import dataclass

from mlm_core.small_runs.static_masking import Way
from mlm_core.text.corpora import DATA_FOLDER, read_rows

RESULTS_FILE = DATA_FOLDER / "static_masking.json"
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
    return read_rows(RESULTS_FILE, MaskingRun)
