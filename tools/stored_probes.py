"""Fit the probes of the bundled model that lesson 11 begins with.

    python -m tools.stored_probes    (re)makes mlm_core/data/probes.npz, in half a minute

Read before this: ../mlm_core/inside/known_by_layer.py.
"""

from collections.abc import Iterator

import numpy as np
import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.inside.known_by_layer import PROBE_TASKS, READ_AT, known_by_layer
from mlm_core.stored.probes import ARRAYS, PROBES_FILE


def make_probes() -> Iterator[str]:
    """Fit all probes and write them; yield lines for a log."""
    model, arrays = load(BUNDLED), {}
    for task in PROBE_TASKS:
        for read_at in READ_AT:
            found = known_by_layer(model, task, read_at)
            weights = torch.stack([probe.weights for probe in found.probes])
            bias = torch.stack([probe.bias for probe in found.probes])
            of_tested = (found.right, found.control_right, found.seen)
            values = (*of_tested, weights.float(), bias.float())
            for name, value in zip(ARRAYS, values, strict=True):
                arrays[f"{task}_{read_at}_{name}"] = value.numpy()
            yield f"{task} at the {read_at}: {found.accuracies[-1]:.1%} in the last layer"
    np.savez_compressed(PROBES_FILE, **arrays)


if __name__ == "__main__":
    for line in make_probes():
        print(line, flush=True)
