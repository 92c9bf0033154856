"""Twenty fine-tunings that differ in nothing but chance, for the lesson on choosing among them.

    python -m mlm_core.stored.twenty_runs    (re)makes data/finetuned/twenty_runs.json

Each trains a head on other 400 of sentiment's training sentences and is tested on the dev and the
test part together, which it doesn't use for anything else.

Read before this: finetunes.py, ../evaluation/selection.py.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.settings import FineTuneSettings, default_settings
from mlm_core.labelled.examples import Dataset, LabelledText
from mlm_core.shapes import Bool, Tensor
from mlm_core.stored.finetunes import (
    FOLDER,
    read_dataset,
    train_to_the_end,
    write_rows,
)

RUNS_FILE = "twenty_runs.json"
SEEDS = range(1, 21)
N_EXAMPLES = 400  # for training
TASK = "sentiment"


def settings_of(seed: int) -> FineTuneSettings:
    """Return the settings of one of the runs."""
    return default_settings(BUNDLED, TASK, "head", n_examples=N_EXAMPLES, seed=seed)


def examples() -> Dataset[LabelledText]:
    """Return the task's training part, and the two others as one."""
    data = read_dataset(TASK)
    return replace(data, dev=(), test=(*data.dev, *data.test))


def read_twenty_runs(folder: Path = FOLDER) -> Bool[Tensor, "seed sentence"]:
    """Return which sentences of the test part of examples() each run is right about.

    Raises OSError or ValueError if the file can't be read.
    """
    rows = json.loads((folder / RUNS_FILE).read_text(encoding="utf-8"))
    return torch.tensor([[mark == "1" for mark in row["right"]] for row in rows])


def make_twenty_runs(folder: Path = FOLDER) -> Iterator[str]:
    """Train the runs and write the file; yield lines for a log."""
    encoder, data, rows = refuse_foreign(load(BUNDLED)), examples(), []
    for seed in SEEDS:
        last = train_to_the_end(settings_of(seed), data, encoder)
        assert last.predictions is not None
        pairs = zip(last.predictions.predicted, data.test, strict=True)
        right = "".join(str(int(said == example.label)) for said, example in pairs)
        rows.append({"seed": seed, "right": right})
        yield f"seed {seed}: {last.result.proportion_right:.1%} right"
    write_rows(rows, folder / RUNS_FILE)


if __name__ == "__main__":
    for line in make_twenty_runs():
        print(line, flush=True)
