"""Stored runs with 15 % hidden and with any share; `make stored STORED=mask_rates` makes them.

Read before this: ../small_runs/mask_rates.py.
"""

from dataclasses import dataclass

from mlm_core.small_runs.mask_rates import HiddenShare
from mlm_core.text.corpora import DATA_FOLDER, read_rows

RESULTS_FILE = DATA_FOLDER / "mask_rates.json"
SEEDS = (1, 2, 3)
SHARES = (0.15, 0.5, 0.85, 1.0)  # hidden in the test
STEPS = (1, 2, 4, 8, 16)  # in which a sentence is written; the last: a step for each word


@dataclass(frozen=True, kw_only=True)
class MaskRateRun:
    """One run: how much was hidden, a seed, and what the encoder can do."""

    share: HiddenShare
    seed: int
    losses: tuple[float, ...]  # nats a token, at each of SHARES
    neighbours: tuple[float, ...]  # proportion that the grammar has, for each of STEPS
    sentences: tuple[str, ...]  # some that it wrote in the most steps


def read_runs() -> tuple[MaskRateRun, ...]:
    """Return the stored runs."""
    return read_rows(RESULTS_FILE, MaskRateRun)
