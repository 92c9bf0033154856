"""Stored probes of the bundled model by layer; `python -m tools.stored_probes` makes them.

One file has for each task, at the word and at [MASK], which tested examples each layer's probe
has right, which of their words were learned from, and the probes' weights.

Read before this: ../inside/known_by_layer.py.
"""

from pathlib import Path

import torch

from mlm_core.inside.known_by_layer import KnownByLayer, ProbeTask, ReadAt
from mlm_core.probing.linear_probe import LogisticRegression

PROBES_FILE = Path(__file__).parents[1] / "data" / "probes.npz"
ARRAYS = ("right", "control_right", "seen", "weights", "bias")


def read_probes(task: ProbeTask, read_at: ReadAt) -> KnownByLayer:
    """Return what the stored probes of a task found."""
    import numpy as np

    with np.load(PROBES_FILE, allow_pickle=False) as file:
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
