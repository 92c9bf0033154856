"""Choose the settings of the stored fine-tunings on the dev parts.

    make stored STORED=choices    mlm_core/data/finetuned/choices.json

Every candidate is trained on the training part and scored on the dev part; the test part isn't
read. default_settings() has the layers to read and the rates with the best dev F1, over all tasks,
for the number of layers that it trains (tested). A random start and its number of layers are
chosen on sentiment, which "Why pretrain?" is about; the other tasks have the same settings. One
seed each, but three where as many layers are trained as by default, since the seeds differ by ten
points; of the others, two within some three points may as well change places.

Source: SLP3 on training, dev and test parts; Devlin et al. 2019, appendix A.3 (the best learning
rate on dev, for every task).

Read before this: finetune_figures.py, ../mlm_core/stored/finetune_choices.py,
../mlm_core/finetuning/settings.py.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.settings import (
    USUAL_LAYERS,
    Data,
    FineTuneSettings,
    Start,
    Trained,
    default_settings,
)
from mlm_core.stored.finetune_choices import CHOICES_FILE, Choice, Way
from mlm_core.stored.finetunes import FOLDER, TASKS, read_dataset
from tools.finetune_figures import SEEDS
from tools.stored_finetunes import train_to_the_end, write_rows

RANDOM_TASK: Data = "sentiment"  # that a random start is chosen on
# Each way's candidates: layers to read (None: all), layers to train, peak learning rate.
CANDIDATES: dict[Way, tuple[dict, ...]] = {
    "head": tuple({"peak_learning_rate": rate} for rate in (1e-3, 5e-3, 2e-2)),
    "top": tuple(
        {"n_read_layers": read, "n_top_layers": layers, "peak_learning_rate": rate}
        for read, layers, rate in (
            *((None, 4, 5e-4), (None, 4, 1e-3), (8, 4, 5e-4), (8, 4, 1e-3)),
            *((6, 4, 5e-4), (6, 4, 1e-3), (None, 6, 5e-4), (None, 8, 3e-4)),
        )
    ),
    "all": tuple({"peak_learning_rate": rate} for rate in (1e-4, 2e-4, 4e-4)),
    "random": tuple(
        {"n_read_layers": read, "peak_learning_rate": rate}
        for read, rate in ((2, 2e-4), (2, 5e-4), (2, 1e-3), (4, 2e-4), (4, 5e-4), (8, 2e-4))
    ),
}


def make_choices() -> Iterator[str]:
    """Train and score the candidates, write the table; yield its lines for a log."""
    encoder, rows = refuse_foreign(load(BUNDLED)), []
    for task in TASKS:
        data = read_dataset(task)
        data = replace(data, test=data.dev)
        for way in CANDIDATES:
            for settings in candidates(task, way):
                last = train_to_the_end(settings, data, encoder)
                row = Choice(
                    task=task,
                    way=way,
                    seed=settings.seed,
                    n_read_layers=settings.n_read(encoder.bert.config.n_layers),
                    n_top_layers=settings.n_trained_layers(encoder.bert.config.n_layers),
                    peak_learning_rate=settings.peak_learning_rate,
                    step=last.result.step,
                    n_steps=last.n_steps,
                    proportion_right=last.result.proportion_right,
                    f1=last.result.f1,
                )
                rows.append(asdict(row))
                yield (
                    f"{task} {way} {row.n_top_layers} of {row.n_read_layers} layers,"
                    f" rate {row.peak_learning_rate:g}, seed {row.seed}:"
                    f" dev {row.proportion_right:.1%}, F1 {row.f1:.3f},"
                    f" step {row.step} of {row.n_steps}, {last.seconds:.0f} s"
                )
        write_rows(rows, FOLDER / CHOICES_FILE)


def candidates(task: Data, way: Way) -> Iterator[FineTuneSettings]:
    """Yield the settings that are compared for one way to fine-tune on a task; maybe none."""
    if way == "random" and task != RANDOM_TASK:
        return
    trained: Trained = "all" if way == "random" else way
    start: Start = "random" if way == "random" else "pretrained"
    for changes in CANDIDATES[way]:
        settings = default_settings(BUNDLED, task, trained, start, **changes)
        for seed in SEEDS if way == "top" and settings.n_top_layers == USUAL_LAYERS else SEEDS[:1]:
            yield replace(settings, seed=seed)
