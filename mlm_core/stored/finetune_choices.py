"""Scores on the dev parts by which the settings of the stored fine-tunings were chosen.

A row has one candidate with one seed. `make stored STORED=choices` makes the table.

Read before this: finetunes.py, ../finetuning/settings.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from typing import Literal

from mlm_core.finetuning.settings import USUAL_LAYERS, Data
from mlm_core.stored.finetunes import FOLDER
from mlm_core.text.corpora import read_rows

CHOICES_FILE = "choices.json"
Way = Literal["head", "top", "all", "random"]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The scores on dev of one candidate with one seed."""

    task: Data
    way: Way
    seed: int
    n_read_layers: int
    n_top_layers: int
    peak_learning_rate: float
    step: int  # with the best F1 on dev, of all steps
    n_steps: int
    proportion_right: float
    f1: float


def read_choices() -> tuple[Choice, ...]:
    """Return the stored table. Raises OSError or ValueError if it can't be read."""
    return read_rows(FOLDER / CHOICES_FILE, Choice)


def dev_scores(task: Data, way: str, rows: Iterable[Choice]) -> dict[tuple[int, int, float], float]:
    """Return the mean F1 on dev, over the seeds, by layers read, layers trained and rate."""
    found: dict[tuple[int, int, float], list[float]] = {}
    for row in rows:
        if (row.task, row.way) == (task, way):
            candidate = (row.n_read_layers, row.n_top_layers, row.peak_learning_rate)
            found.setdefault(candidate, []).append(row.f1)
    return {candidate: mean(scores) for candidate, scores in found.items()}


def best_by_read(task: Data, rows: Iterable[Choice]) -> dict[int, float]:
    """Return the F1 on dev by layers read, of the best rate, with as many trained as by default."""
    best: dict[int, float] = {}
    for (n_read, n_trained, _), score in dev_scores(task, "top", rows).items():
        if n_trained == USUAL_LAYERS:
            best[n_read] = max(score, best.get(n_read, 0.0))
    return best
