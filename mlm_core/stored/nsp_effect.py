"""Stored: encoders pretrained with and without NSP, and what they reach on other pair tasks.

`make stored STORED=nsp` makes the file.

Read before this: ../labelled/world_pairs.py, ../evaluation/seeds.py.
"""

from dataclasses import dataclass

from mlm_core.evaluation.seeds import Variant
from mlm_core.finetuning.heads import Pooling
from mlm_core.finetuning.settings import Trained
from mlm_core.labelled.world_pairs import PairTask
from mlm_core.small_runs.settings import Objective
from mlm_core.stored.runs import from_marks
from mlm_core.text.corpora import DATA_FOLDER, read_rows

NSP_FILE = DATA_FOLDER / "nsp_effect.json"
NSP_OBJECTIVES: tuple[Objective, ...] = ("mlm_nsp", "mlm")  # the one thing that differs
SEEDS = (1, 2, 3)
LABEL_COUNTS = (32, 128, 512)


@dataclass(frozen=True, kw_only=True)
class PairScores:
    """One way to pretrain, on one task with some labels: accuracies of all seeds, 0 to 1."""

    task: PairTask
    objective: Objective
    n_labels: int
    trained: Trained  # with the pooling, what was best on the dev part
    pooling: Pooling
    dev: tuple[float, ...]
    test: tuple[float, ...]
    right: str  # a 1 for each test pair that the first seed gets right, else a 0

    @property
    def variant(self) -> Variant:
        """Return what is compared with the other way to pretrain."""
        right = from_marks(self.right)
        return Variant(name=self.objective, proportions=self.test, right=right)


def read_scores() -> tuple[PairScores, ...]:
    """Return the stored scores."""
    return read_rows(NSP_FILE, PairScores)
