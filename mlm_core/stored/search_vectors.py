"""Stored: a bundled model's vectors of the test part's candidates, and what z-scores need.

A lesson opens on them, and reading all these sentences would take a visitor seconds.
`make stored STORED=search_vectors` makes the file.

Read before this: ../search/vectors.py.
"""

from dataclasses import dataclass
from pathlib import Path

import torch

from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.corpora import DATA_FOLDER, name_in


def vectors_file(language: str = "en") -> Path:
    """Return the file of the vectors in a language, of the model that reads it."""
    return DATA_FOLDER / f"{name_in(language, 'search_vectors')}.npz"


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class SearchVectors:
    """Vectors by each pooling; mean and deviation are those of the z-scores' corpus."""

    candidates: dict[Pooling, Float[Tensor, "candidate hidden"]]
    mean: dict[Pooling, Float[Tensor, " hidden"]]
    deviation: dict[Pooling, Float[Tensor, " hidden"]]


def read_vectors(language: str = "en") -> SearchVectors:
    """Return the stored vectors."""
    import numpy as np

    with np.load(vectors_file(language), allow_pickle=False) as file:
        found: dict[str, dict[Pooling, Tensor]] = {
            name: {pooling: torch.from_numpy(file[f"{pooling}_{name}"]) for pooling in POOLINGS}
            for name in ("candidates", "mean", "deviation")
        }
    return SearchVectors(**found)
