"""Stored thresholds of doubt, and the error rates; `make stored STORED=refusals` makes them.

Read before this: ../evaluation/refusal.py, finetunes.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from mlm_core.evaluation.refusal import RefusalCounts
from mlm_core.text.corpora import DATA_FOLDER, name_in

REFUSALS_FILE = DATA_FOLDER / "refusals.json"


def next_sentence_name(language: str = "en") -> str:
    """Return the name of the head whose model reads a language; the others are taggers."""
    return name_in(language, "next_sentence")


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
