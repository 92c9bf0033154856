"""Make the stored fine-tunings.

    make stored STORED=finetuned    mlm_core/data/finetuned/

Read before this: stored_runs.py, ../mlm_core/stored/finetunes.py, ../mlm_core/finetuning/run.py.
"""

import json
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.fine_tuned import make_upper
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import FineTuneSnapshot, TrainedWeights
from mlm_core.labelled.examples import Dataset
from mlm_core.stored.finetunes import FOLDER, has_weights, read_dataset, stored_settings
from tools.stored_runs import thin_out, write_archive

N_CURVE = 120  # points of a stored loss curve


def make_runs() -> Iterator[str]:
    """Train the stored runs and write them; yield lines for a log."""
    encoders = {name: refuse_foreign(load(name)) for name in BUNDLED_FOLDERS}
    for name, settings in stored_settings().items():
        begun, encoder = time.perf_counter(), encoders[settings.model]
        last = train_to_the_end(settings, read_dataset(settings.data), encoder)
        path = FOLDER / f"{name}.npz"
        write_stored(last, path, encoder if has_weights(name) else None)
        test = last.result
        yield (
            f"{name}: {last.n_steps} steps, {test.proportion_right:.1%}, F1 {test.f1:.3f},"
            f" {time.perf_counter() - begun:.0f} s, {path.stat().st_size / 1e6:.2f} MB"
        )


def train_to_the_end(
    settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel
) -> FineTuneSnapshot:
    """Return a run's last snapshot."""
    run = FineTuneRun(settings, dataset, encoder)
    deque(run.go_on(), maxlen=0)
    return run.snapshot


def write_stored(snapshot: FineTuneSnapshot, path: Path, encoder: OwnModel | None = None) -> None:
    """Write a finished run; with its weights, if its encoder is given."""
    predictions = snapshot.predictions
    assert predictions is not None  # a finished run has them
    record = {
        "settings": asdict(snapshot.settings),
        "n_steps": snapshot.n_steps,
        "seconds": round(snapshot.seconds, 2),
        "losses": [[point.step, point.loss] for point in thin_out(snapshot.losses, N_CURVE)],
        "tests": [list(asdict(test).values()) for test in snapshot.tests],
        "on_test": list(asdict(snapshot.result).values()),
        "n_left_out": snapshot.n_left_out,
        "n_cut": snapshot.n_cut,
        "n_trained": snapshot.n_trained,
        "predicted": [one if isinstance(one, str) else list(one) for one in predictions.predicted],
        "shapes": [list(one.shape) for one in predictions.log_probabilities],
    }
    numbers = torch.cat([one.flatten() for one in predictions.log_probabilities])
    arrays = {"log_probabilities": numbers.numpy().astype(np.float32)}
    if encoder is not None:
        arrays |= _pack_weights(snapshot, encoder)
    write_archive(path, record, arrays)


def _pack_weights(snapshot: FineTuneSnapshot, encoder: OwnModel) -> dict[str, np.ndarray]:
    """Return the weight changes as int8, and each tensor's scale.

    A tensor's largest change becomes 127 or -127.
    """
    assert snapshot.dataset is not None and isinstance(snapshot.weights, TrainedWeights)
    upper = make_upper(encoder.bert, snapshot.dataset, snapshot.settings, None)
    starts = [parameter.detach().flatten().numpy() for parameter in upper.parameters()]
    ends = np.frombuffer(snapshot.weights.numbers, np.float16).astype(np.float32)
    changes = np.split(ends - np.concatenate(starts), np.cumsum([len(one) for one in starts])[:-1])
    scales = np.array([max(np.abs(one).max(), 1e-12) / 127 for one in changes], dtype=np.float32)
    pairs = zip(changes, scales, strict=True)
    rounded = [np.round(change / scale).astype(np.int8) for change, scale in pairs]
    return {"moves": np.concatenate(rounded), "scales": scales}


def write_rows(rows: Iterable[Mapping[str, object]], path: Path) -> None:
    """Write a table as JSON, a row a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
