"""Stored thresholds of doubt, and the error rates; `make stored STORED=refusals` makes them.

Read before this: ../evaluation/refusal.py, finetunes.py.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mlm_core.evaluation.refusal import RefusalCounts
from mlm_core.prediction.pair_examples import Kind
from mlm_core.text.corpora import DATA_FOLDER, name_in

REFUSALS_FILE = DATA_FOLDER / "refusals.json"

Scored = tuple[list[float], list[bool]]  # confidence of each prediction, and whether it is right


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
    # Of a next-sentence head: P(IsNext) of each test pair.
    p_next: Mapping[Kind, Sequence[float]] = field(default_factory=dict)

    def sure_next(self, kind: Kind) -> float:
        """Return how many test pairs of a kind are taken for next sentences surely, 0 to 1."""
        p_next = self.p_next[kind]
        return sum(p >= self.threshold for p in p_next) / len(p_next)

    def accepted(self, kind: Kind) -> float:
        """Return how many test pairs of a kind are taken for next sentences, 0 to 1."""
        p_next = self.p_next[kind]
        return sum(p >= 0.5 for p in p_next) / len(p_next)


def scored_pairs(p_next: Mapping[Kind, Sequence[float]]) -> Scored:
    """Return the confidence of the pairs of which training has the kind, and which are right."""
    right = [p >= 0.5 for p in p_next["next"]] + [p < 0.5 for p in p_next["other_document"]]
    return [max(p, 1 - p) for p in (*p_next["next"], *p_next["other_document"])], right


def read_refusals() -> dict[str, StoredRefusal]:
    """Return the stored thresholds by name."""
    rows = json.loads(REFUSALS_FILE.read_text(encoding="utf-8"))
    parts = ("dev", "test")
    return {
        row["name"]: StoredRefusal(**row | {part: RefusalCounts(**row[part]) for part in parts})
        for row in rows
    }
