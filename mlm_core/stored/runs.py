"""Stored small runs, so that a lesson opens on a finished curve.

Each file is a `SmallRun` with settings that anyone can run again: the default, and one change at a
time. The default run keeps its checkpoints, to show the guesses for a blank during training; the
others keep the last one. A file is a compressed archive of arrays and JSON, without code.
`make stored STORED=runs` makes them.

Read before this: ../small_runs/run.py, ../small_runs/best.py.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import compress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from tokenizers import Tokenizer

from mlm_core.small_runs.held_out import Baselines, HeldOutPoint
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Checkpoint, LossPoint, Snapshot
from mlm_core.small_runs.text import TextFacts
from mlm_core.text.mini_world.floor import BestFigures

RUNS_FOLDER = Path(__file__).parents[1] / "data" / "runs"
DEFAULT_RUN = "default"
BEST_FILE = "best_possible.json"
RIGHT_FILE = "right.json"
T = TypeVar("T")


def stored_settings() -> dict[str, SmallRunSettings]:
    """Return each stored run's settings: the default, and others with one change."""
    default = SmallRunSettings()
    return {
        DEFAULT_RUN: default,
        "no_nsp": replace(default, objective="mlm"),
        "mask_only": replace(default, mask_rate=1.0, random_rate=0.0, keep_rate=0.0),
        "next_word": replace(default, objective="next_word"),
        "half_width": replace(default, hidden_size=default.hidden_size // 2),
        "random_heads": replace(default, preset_heads=False),
    }


def read_stored(name: str, folder: Path = RUNS_FOLDER) -> Snapshot:
    """Return a stored run as it was when it finished."""
    return read_archive(folder / f"{name}.npz", _snapshot)


def read_archive(path: Path, read: Callable[[dict, Mapping[str, np.ndarray]], T]) -> T:
    """Return what `read` makes of a file's record and its arrays."""
    with np.load(path, allow_pickle=False) as archive:
        return read(json.loads(bytes(archive["record"])), archive)


def read_best(settings: SmallRunSettings) -> BestFigures | None:
    """Return the best possible figures on a run's test; None if they are not stored.

    They are for masked words with the default run's text, vocabulary and window.
    """
    default = SmallRunSettings()
    same = ("own_text", "vocabulary_size", "length")
    is_same = all(getattr(settings, name) == getattr(default, name) for name in same)
    if not is_same or settings.objective == "next_word":
        return None
    return BestFigures(**json.loads((RUNS_FOLDER / BEST_FILE).read_text(encoding="utf-8")))


def read_right(name: str, *, at_kept: bool) -> tuple[bool, ...]:
    """Return which tokens of the masked words' test a stored run guesses right.

    `at_kept` takes those alone that are shown as they are. A run with another test has none.
    """
    marks = json.loads((RUNS_FOLDER / RIGHT_FILE).read_text(encoding="utf-8"))
    right = from_marks(marks.get(name, ""))
    return tuple(compress(right, from_marks(marks["kept"]))) if at_kept else right


def from_rows(kind: type[T], rows: Sequence[Sequence]) -> tuple[T, ...]:
    """Return a dataclass for each row; a row has the values of all fields, in order."""
    # The library's stub calls a dataclass by a name that it has only for checkers.
    names = [field.name for field in fields(kind)]  # ty: ignore[invalid-argument-type]
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def as_marks(right: Iterable[bool]) -> str:
    """Return a 1 for each example that is right, and a 0 for each other."""
    return "".join("01"[one] for one in right)


def from_marks(marks: str) -> tuple[bool, ...]:
    """Return which examples are right, as as_marks() wrote it."""
    return tuple(mark == "1" for mark in marks)


def _snapshot(record: dict, archive: Mapping[str, np.ndarray]) -> Snapshot:
    # JSON has no tuples.
    given: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in record["settings"].items()
    }
    settings = SmallRunSettings(**given)
    checkpoints = tuple(
        Checkpoint(step=step, weights=archive[f"weights_{step}"].tobytes())
        for step in record["kept"]
    )
    return Snapshot(
        settings=settings,
        phase="finished",
        step=settings.n_steps,
        seconds=record["seconds"],
        n_tokens=record["n_tokens"],
        tokens_a_second=record["tokens_a_second"],
        losses=from_rows(LossPoint, record["losses"]),
        held_out=from_rows(HeldOutPoint, record["held_out"]),
        checkpoints=checkpoints,
        baselines=Baselines(**record["baselines"]),
        facts=TextFacts(**record["facts"]),
        tokenizer=Tokenizer.from_str(record["tokenizer"]),
    )
