"""Fit the probes of the bundled models that lesson 11 begins with.

    make stored STORED=probes    mlm_core/data/probes*.npz, in a minute

Read before this: ../mlm_core/inside/known_by_layer.py.
"""

from collections.abc import Iterator

import numpy as np
import torch

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.known_by_layer import PROBE_TASKS, READ_AT, known_by_layer
from mlm_core.stored.probes import ARRAYS, probes_file


def make_probes() -> Iterator[str]:
    """Fit all probes and write them; yield lines for a log."""
    for language in READERS:
        yield from _make_language(language)


def _make_language(language: str) -> Iterator[str]:
    model, arrays = load(READERS[language]), {}
    for task in PROBE_TASKS:
        for read_at in READ_AT:
            found = known_by_layer(model, task, read_at, language=language)
            weights = torch.stack([probe.weights for probe in found.probes])
            bias = torch.stack([probe.bias for probe in found.probes])
            of_tested = (found.right, found.control_right, found.seen)
            values = (*of_tested, weights.float(), bias.float())
            for name, value in zip(ARRAYS, values, strict=True):
                arrays[f"{task}_{read_at}_{name}"] = value.numpy()
            last = found.accuracies[-1]
            yield f"{language}, {task} at the {read_at}: {last:.1%} in the last layer"
    np.savez_compressed(probes_file(language), **arrays)
