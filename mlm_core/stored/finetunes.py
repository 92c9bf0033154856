"""Stored fine-tunings, so that a lesson opens on finished ones.

A run's file holds its settings, curves and predictions on the test part. A few files also hold the
weights, to predict for other texts: the change of each weight since the start, in 8 bits. The
settings give the start. `make stored STORED=finetuned` makes them.

Read before this: runs.py, ../finetuning/run.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from mlm_core.finetuning.fine_tuned import training_data
from mlm_core.finetuning.settings import (
    SENTIMENT,
    TAGGED,
    Data,
    FineTuneSettings,
    default_settings,
    language_of,
    usual_model,
)
from mlm_core.finetuning.snapshot import (
    FineTuneLoss,
    FineTuneSnapshot,
    FineTuneTest,
    Predictions,
    StoredWeights,
)
from mlm_core.labelled.conll import own_entities, stored_entities
from mlm_core.labelled.examples import Dataset
from mlm_core.labelled.tables import own_classes, stored_classes, stored_questions
from mlm_core.stored.runs import from_rows, read_archive

FOLDER = Path(__file__).parents[1] / "data" / "finetuned"
# Whose ways to fine-tune are compared, and whose dev parts chose the settings.
TASKS: tuple[Data, ...] = ("sentiment", "entailment", "passages", "entities")
WITH_WEIGHTS = ("head", "top")  # all layers would take 25 MB
FEW = (10, 100)  # examples
EIGHT = {"n_read_layers": None, "n_top_layers": 8, "peak_learning_rate": 3e-4}


def variants(task: Data) -> dict[str, FineTuneSettings]:
    """Return the settings that are compared on a task, by name; of German sentiment the main."""
    model = usual_model(task)
    found = {
        "head": default_settings(model, task, "head"),
        "top": default_settings(model, task, "top"),
        "all": default_settings(model, task, "all"),
        "random": default_settings(model, task, "all", start="random"),
    }
    if task in SENTIMENT.values() and language_of(task) != "en":
        return found
    found["eight"] = replace(found["top"], **EIGHT)
    if task in ("sentiment", "entailment"):
        found["cls"] = replace(found["top"], pooling="cls")
    return found


def stored_settings() -> dict[str, FineTuneSettings]:
    """Return the settings of each stored run, by its name: task_variant."""
    found = {
        f"{task}_{name}": settings
        for task in dict.fromkeys((*TASKS, *SENTIMENT.values(), *TAGGED.values()))
        for name, settings in variants(task).items()
    }
    found |= {f"paraphrase_{way}": settings for way, settings in paraphrase_variants().items()}
    for task in SENTIMENT.values():
        for n in FEW:
            few = few_variants(n, task=task)
            found |= {few_name(n, way, task): settings for way, settings in few.items()}
    return found


def paraphrase_variants() -> dict[str, FineTuneSettings]:
    """Return the settings of paraphrase's runs, which were chosen on the other tasks."""
    model = usual_model("paraphrase")
    return {way: default_settings(model, "paraphrase", way) for way in ("head", "top")}


def few_name(n: int, way: str, task: Data = "sentiment") -> str:
    """Return the name of a stored run of few_variants()."""
    return f"{task}_{n}" + ("" if way == "top" else f"_{way}")


def few_variants(n: int, task: Data = "sentiment") -> dict[str, FineTuneSettings]:
    """Return the settings of sentiment's runs on `n` examples, by the names of variants()."""
    every = variants(task)
    # Few examples make few steps an epoch, so there are more epochs.
    ways = ("top", "random")
    return {way: replace(every[way], n_examples=n, n_epochs=20) for way in ways}


def has_weights(name: str) -> bool:
    """Return whether a stored run has weights, to predict for other texts."""
    return name.rpartition("_")[2] in WITH_WEIGHTS


def read_dataset(data: Data, own_data: str | None = None) -> Dataset:
    """Return stored examples or a learner's own. Raises ValueError for bad ones."""
    if data == "own_classes":
        return own_classes(own_data or "")
    if data == "own_tags":
        return own_entities(own_data or "")
    if data == "passages":
        return stored_questions()
    return stored_entities(language_of(data)) if data in TAGGED.values() else stored_classes(data)


def read_stored(
    name: str, folder: Path = FOLDER, read: Callable[[Data], Dataset] = read_dataset
) -> FineTuneSnapshot:
    """Return a stored run as it was when it finished; `read` gives its examples."""
    path = folder / f"{name}.npz"
    return read_archive(path, lambda record, archive: _snapshot(record, archive, path, read))


def _snapshot(
    record: dict,
    archive: Mapping[str, np.ndarray],
    path: Path,
    read: Callable[[Data], Dataset],
) -> FineTuneSnapshot:
    settings = FineTuneSettings(**record["settings"])
    n_steps, sizes = record["n_steps"], [int(np.prod(shape)) for shape in record["shapes"]]
    (on_test,) = from_rows(FineTuneTest, [record["on_test"]])
    parts = torch.from_numpy(archive["log_probabilities"]).split(sizes)
    return FineTuneSnapshot(
        settings=settings,
        phase="finished",
        step=n_steps,
        n_steps=n_steps,
        seconds=record["seconds"],
        proportion_read=1.0,
        losses=from_rows(FineTuneLoss, record["losses"]),
        tests=from_rows(FineTuneTest, record["tests"]),
        on_test=on_test,
        dataset=training_data(read(settings.data), settings),
        n_left_out=record["n_left_out"],
        n_cut=record["n_cut"],
        n_trained=record["n_trained"],
        predictions=Predictions(
            step=on_test.step,
            log_probabilities=tuple(
                part.reshape(shape) for part, shape in zip(parts, record["shapes"], strict=True)
            ),
            predicted=tuple(
                one if isinstance(one, str) else tuple(one) for one in record["predicted"]
            ),
        ),
        weights=StoredWeights(step=on_test.step, file=path) if "moves" in archive else None,
    )
