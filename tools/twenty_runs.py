"""Make the twenty fine-tunings that differ in nothing but chance.

    make stored STORED=twenty_runs    mlm_core/data/finetuned/twenty_runs.json

Read before this: stored_finetunes.py, ../mlm_core/stored/twenty_runs.py.
"""

from collections.abc import Iterator
from dataclasses import replace

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.settings import FineTuneSettings, default_settings
from mlm_core.labelled.examples import Dataset, LabelledText
from mlm_core.stored.finetunes import FOLDER, read_dataset
from mlm_core.stored.twenty_runs import N_EXAMPLES, RUNS_FILE, SEEDS, TASK
from tools.finetune_figures import marks
from tools.stored_finetunes import train_to_the_end, write_rows


def make_twenty_runs() -> Iterator[str]:
    """Train the runs and write the file; yield lines for a log."""
    encoder, data, rows = refuse_foreign(load(BUNDLED)), examples(), []
    for seed in SEEDS:
        last = train_to_the_end(settings_of(seed), data, encoder)
        rows.append({"seed": seed, "right": marks(None, data, last.tested.predicted)})
        yield f"seed {seed}: {last.result.proportion_right:.1%} right"
    write_rows(rows, FOLDER / RUNS_FILE)


def settings_of(seed: int) -> FineTuneSettings:
    """Return the settings of one of the runs."""
    return default_settings(BUNDLED, TASK, "head", n_examples=N_EXAMPLES, seed=seed)


def examples() -> Dataset[LabelledText]:
    """Return the task's training part, and the two others as one."""
    data = read_dataset(TASK)
    return replace(data, dev=(), test=(*data.dev, *data.test))
