"""Stored thresholds of doubt, and the error rates; `python -m tools.refusals` makes them.

Read before this: ../evaluation/refusal.py, finetunes.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mlm_core.evaluation.refusal import RefusalCounts

REFUSALS_FILE = Path(__file__).parents[1] / "data" / "refusals.json"
NEXT_SENTENCE = "next_sentence"  # the bundled model's head; the others are stored taggers


@dataclass(frozen=True, kw_only=True)
class StoredRefusal:
    """One model's threshold and what it does."""

    name: str
    most_wrong: float  # of the sure predictions on dev, by which the threshold was chosen
    threshold: float
    dev: RefusalCounts
    test: RefusalCounts
    # Of inputs of another kind, the proportion that the model is sure of.
    sure_of: Mapping[str, float] = field(default_factory=dict)


def read_refusals() -> dict[str, StoredRefusal]:
    """Return the stored thresholds by name."""
    rows = json.loads(REFUSALS_FILE.read_text(encoding="utf-8"))
    parts = ("dev", "test")
    return {
        row["name"]: StoredRefusal(**row | {part: RefusalCounts(**row[part]) for part in parts})
        for row in rows
    }
