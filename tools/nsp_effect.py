"""Measure what NSP does for two pair tasks that are not NSP.

    make stored STORED=nsp    mlm_core/data/nsp_effect.json, in a quarter of an hour

Six small encoders, with NSP and without and with three seeds each, are fine-tuned on some labelled
pairs; those of the first seed are the stored runs. Each way of fine-tuning is a candidate; the one
with the best mean accuracy on the dev part is kept, for each task, objective and number of labels.
Its test scores are stored, no others.

Source: Devlin et al. 2019, section 5.1 (without NSP, fine-tuned on other pair tasks); Liu et al.
2019, section 4.2.
Departs: the encoders differ in NSP alone, but without it every B follows its A in pretraining.

Read before this: stored_runs.py, stored_finetunes.py, ../mlm_core/stored/nsp_effect.py.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from statistics import fmean
from typing import NamedTuple

from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.finetuning.settings import FineTuneSettings, Trained
from mlm_core.labelled.examples import Dataset
from mlm_core.labelled.world_pairs import PAIR_TASKS, PairTask, world_pairs
from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import Objective, SmallRunSettings
from mlm_core.small_runs.snapshot import model_at
from mlm_core.stored.nsp_effect import (
    LABEL_COUNTS,
    NSP_FILE,
    NSP_OBJECTIVES,
    SEEDS,
    PairScores,
)
from mlm_core.stored.runs import read_stored, stored_settings
from tools.finetune_figures import marks
from tools.stored_finetunes import train_to_the_end, write_rows

RATES: dict[Trained, float] = {"head": 5e-3, "all": 5e-4}  # peak learning rates
N_EPOCHS = 8
DIGITS = 4  # of a stored number, behind the point


class Candidate(NamedTuple):
    """A way to fine-tune, with the accuracies of all seeds."""

    trained: Trained
    pooling: Pooling
    dev: list[float]
    test: list[float]
    right: str  # of the first seed, as in PairScores


def make_scores() -> Iterator[str]:
    """Train all, choose on dev, write the table; yield lines for a log."""
    encoders = {}
    for objective in NSP_OBJECTIVES:
        encoders[objective] = [pretrained(objective, seed) for seed in SEEDS]
        yield f"{objective}: {len(SEEDS)} encoders"
    rows = []
    for task in PAIR_TASKS:
        data = world_pairs(task)
        for objective in NSP_OBJECTIVES:
            for n_labels in LABEL_COUNTS:
                row = scores(task, data, objective, encoders[objective], n_labels)
                rows.append(asdict(row))
                yield (
                    f"{task}, {objective}, {n_labels} labels, {row.trained} {row.pooling}:"
                    f" dev {fmean(row.dev):.1%}, test {fmean(row.test):.1%}"
                )
    write_rows(rows, NSP_FILE)


def pretrained(objective: Objective, seed: int) -> OwnModel:
    """Return an encoder of the lesson's default settings with this objective and seed.

    A run that is stored is not trained again.
    """
    settings = SmallRunSettings(objective=objective, seed=seed)
    for name, stored in stored_settings().items():
        if stored == settings:
            return model_at(read_stored(name))
    run = SmallRun(replace(settings, evaluate_every=settings.n_steps))  # tested at its end only
    deque(run.go_on(), maxlen=0)
    return model_at(run.snapshot)


def scores(
    task: PairTask,
    data: Dataset,
    objective: Objective,
    encoders: Sequence[OwnModel],
    n_labels: int,
) -> PairScores:
    """Return the scores of the way to fine-tune that is best on the dev part."""
    best = choose(
        [
            _candidate(data, encoders, n_labels, trained, pooling)
            for trained in RATES
            for pooling in POOLINGS
        ]
    )
    return PairScores(
        task=task,
        objective=objective,
        n_labels=n_labels,
        trained=best.trained,
        pooling=best.pooling,
        dev=tuple(round(one, DIGITS) for one in best.dev),
        test=tuple(round(one, DIGITS) for one in best.test),
        right=best.right,
    )


def choose(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the best mean on dev; of equal ones the first."""
    return max(candidates, key=lambda one: fmean(one.dev))


def _candidate(
    data: Dataset,
    encoders: Sequence[OwnModel],
    n_labels: int,
    trained: Trained,
    pooling: Pooling,
) -> Candidate:
    """Fine-tune each seed's encoder in one way."""
    dev, test, right = [], [], ""
    for seed, encoder in enumerate(encoders, 1):
        settings = FineTuneSettings(
            model=encoder.name,
            trained=trained,
            pooling=pooling,
            n_examples=n_labels,
            n_epochs=N_EPOCHS,
            peak_learning_rate=RATES[trained],
            seed=seed,
        )
        last = train_to_the_end(settings, data, encoder)
        # The run keeps the weights with the best F1 on dev, of which the test is made.
        kept = max(last.tests, key=lambda one: one.f1)
        dev.append(kept.proportion_right)
        test.append(last.result.proportion_right)
        right = right or marks(None, data, last.tested.predicted)
    return Candidate(trained, pooling, dev, test, right)
