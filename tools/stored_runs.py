"""Make the stored small runs: the default one, and one change at a time.

    make stored STORED=runs    mlm_core/data/runs/, in minutes

The default run keeps its checkpoints, to show the guesses for a blank during training; the others
keep the last one. Stored with them are the best possible figures on the default run's test, and
which tokens of it each run guesses right.

Read before this: ../mlm_core/stored/runs.py, ../mlm_core/small_runs/run.py,
../mlm_core/small_runs/best.py.
"""

import json
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch

from mlm_core.masking.batch import KEPT
from mlm_core.small_runs.best import best_on_test
from mlm_core.small_runs.held_out import HeldOutTest
from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Snapshot, model_at
from mlm_core.small_runs.text import prepare_at_once
from mlm_core.stored.runs import (
    BEST_FILE,
    DEFAULT_RUN,
    RIGHT_FILE,
    RUNS_FOLDER,
    as_marks,
    read_stored,
    stored_settings,
)
from mlm_core.text.mini_world.floor import BestFigures

MOST_STORED = 11  # checkpoints of the default run: a third of a megabyte each
T = TypeVar("T")


def make_stored(
    folder: Path = RUNS_FOLDER, settings: Mapping[str, SmallRunSettings] | None = None
) -> Iterator[str]:
    """Train the runs one after another and write them; yield lines for a log."""
    if settings is None:
        folder.mkdir(parents=True, exist_ok=True)
        best = json.dumps(asdict(find_best()), indent=1) + "\n"
        (folder / BEST_FILE).write_text(best, encoding="utf-8")
        yield f"best possible: {best}"
    for name, wanted in (stored_settings() if settings is None else settings).items():
        begun = time.perf_counter()
        run = SmallRun(wanted)
        deque(run.go_on(), maxlen=0)
        snapshot = run.snapshot
        last, baselines = snapshot.held_out[-1], snapshot.baselines
        assert baselines is not None
        path = folder / f"{name}.npz"
        n_kept = MOST_STORED if name == DEFAULT_RUN else 1
        write_stored(snapshot, path, n_checkpoints=n_kept)
        yield (
            f"{name}: {snapshot.step:,} steps, held-out loss {last.loss:.3f}"
            f" (unigrams {baselines.unigram_loss:.3f}), right {last.accuracy:.1%},"
            f" {time.perf_counter() - begun:.0f} s, {path.stat().st_size / 1e6:.2f} MB"
        )
    if settings is None:
        marks = ",\n".join(f' "{name}": "{one}"' for name, one in find_right().items())
        (folder / RIGHT_FILE).write_text(f"{{\n{marks}\n}}\n", encoding="utf-8")


def find_right() -> dict[str, str]:
    """Return which tokens of the one test each stored run guesses right, and which are kept."""
    default = SmallRunSettings()
    test = HeldOutTest(prepare_at_once(default), default)
    branches = torch.cat([batch.branches[batch.branches >= 0] for batch in test.batches])
    runs = {name: one for name, one in stored_settings().items() if one.objective != "next_word"}
    return {"kept": as_marks((branches == KEPT).tolist())} | {
        name: as_marks(test.right(model_at(read_stored(name)).bert)) for name in runs
    }


def find_best() -> BestFigures:
    """Return the best possible figures on the default run's test; takes seconds."""
    settings = SmallRunSettings()
    return best_on_test(prepare_at_once(settings), settings)


def write_stored(snapshot: Snapshot, path: Path, *, n_checkpoints: int) -> None:
    """Write a finished run with `n_checkpoints` evenly spaced checkpoints."""
    kept = thin_out(snapshot.checkpoints, n_checkpoints)
    baselines, facts, tokenizer = snapshot.baselines, snapshot.facts, snapshot.tokenizer
    assert baselines is not None and facts is not None and tokenizer is not None
    record = {
        "settings": asdict(snapshot.settings),
        "seconds": round(snapshot.seconds, 2),
        "n_tokens": snapshot.n_tokens,
        "tokens_a_second": round(snapshot.tokens_a_second),
        "losses": [list(asdict(point).values()) for point in snapshot.losses],
        "held_out": [list(asdict(point).values()) for point in snapshot.held_out],
        "baselines": asdict(baselines),
        "facts": asdict(facts),
        "tokenizer": tokenizer.to_str(),
        "kept": [checkpoint.step for checkpoint in kept],
    }
    weights = {f"weights_{c.step}": np.frombuffer(c.weights, np.float16) for c in kept}
    write_archive(path, record, weights)


def write_archive(path: Path, record: dict, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a file that read_archive() reads: a record of plain values, and arrays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record_bytes = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
    np.savez_compressed(path, allow_pickle=False, record=record_bytes, **arrays)


def thin_out(points: Sequence[T], n: int) -> Sequence[T]:
    """Return at most `n` points, evenly spaced, the last one included."""
    if n >= len(points):
        return points
    if n == 1:
        return points[-1:]
    last = len(points) - 1
    return [points[round(i * last / (n - 1))] for i in range(n)]
