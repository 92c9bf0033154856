"""Stored: which pairs each stored run judges right, for the exercise on NSP.

`make stored STORED=nsp_pairs` makes the file.

Read before this: ../probing/pair_task.py.
"""

import json
from pathlib import Path

PAIRS_FILE = Path(__file__).parents[1] / "data" / "nsp_pairs.json"
RUNS = ("default", "no_nsp")
SEEDS = (1, 2, 3)  # of the pairs
N_PAIRS = 1_024  # to learn from, and as many to be judged on


def read_right(seed: int, variant: str) -> list[tuple[bool, ...]]:
    """Return which of the same pairs each run of `RUNS` judges right "from_cls" or "from_mean"."""
    rows = json.loads(PAIRS_FILE.read_text(encoding="utf-8"))
    found = {(row["run"], row["seed"]): row[variant] for row in rows}
    return [tuple(mark == "1" for mark in found[run, seed]) for run in RUNS]
