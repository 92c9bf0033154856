"""Stored: where the answer of pairs of sentences is, by layer and token, in the bundled models.

`make stored STORED=patched_pairs` makes the file from our pairs. Those were chosen for this alone:
they differ in one word of equally many tokens, and the model's likeliest words differ.

Read before this: ../inside/patching.py.
"""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mlm_core.inside.patching import Way

DATA_FOLDER = Path(__file__).parents[1] / "data"
SENTENCES_FILE, PAIRS_FILE = DATA_FOLDER / "patched_pairs.tsv", DATA_FOLDER / "patched_pairs.json"


class PatchedPair(NamedTuple):
    """What patching found in a pair of sentences."""

    kind: str  # what differs: number, gender, capital, tense, negation; in German case, gender
    clean: str
    corrupted: str
    answers: list[str]  # the likeliest words of both
    way: Way


def read_sentences(language: str) -> list[Mapping[str, str]]:
    """Return our pairs of a language, with what differs in each."""
    with SENTENCES_FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [row for row in rows if row["language"] == language]


def read_patched(language: str) -> list[PatchedPair]:
    """Return what patching found in each pair, with the bundled model that reads the language."""
    stored = json.loads(PAIRS_FILE.read_text(encoding="utf-8"))[language]
    return [PatchedPair(*about, Way(tuple(peaks), *ends)) for *about, (peaks, *ends) in stored]
