"""Stored probes of the bundled models by layer; `make stored STORED=probes` makes them.

The file of a language is of the model that reads it. It has for each task, at the word and at
[MASK], which tested examples each layer's probe has right, which of their words were learned
from, and the probes' weights.

Read before this: ../inside/known_by_layer.py.
"""

from pathlib import Path

import torch

from mlm_core.inside.known_by_layer import KnownByLayer, ProbeTask, ReadAt
from mlm_core.probing.linear_probe import LogisticRegression
from mlm_core.text.corpora import DATA_FOLDER, name_in

ARRAYS = ("right", "control_right", "seen", "weights", "bias")


def probes_file(language: str = "en") -> Path:
    """Return the file of the probes in a language."""
    return DATA_FOLDER / f"{name_in(language, 'probes')}.npz"


def read_probes(task: ProbeTask, read_at: ReadAt, language: str = "en") -> KnownByLayer:
    """Return what the stored probes of a task found in a language."""
    import numpy as np

    with np.load(probes_file(language), allow_pickle=False) as file:
        arrays = [torch.from_numpy(file[f"{task}_{read_at}_{name}"]) for name in ARRAYS]
    right, control_right, seen, weights, bias = arrays
    pairs = zip(weights.double(), bias.double(), strict=True)
    return KnownByLayer(
        task=task,
        read_at=read_at,
        right=right,
        control_right=control_right,
        seen=seen,
        probes=tuple(LogisticRegression(weights=one, bias=its) for one, its in pairs),
    )
