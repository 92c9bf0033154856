"""Stored: the bundled model's vectors of the test part's candidates, and what z-scores need.

A lesson opens on them, and reading all these sentences would take a visitor seconds.
`python -m tools.search_vectors` makes the file.

Read before this: ../search/vectors.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import torch

from mlm_core.finetuning.heads import POOLINGS, Pooling
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr

VECTORS_FILE = Path(__file__).parents[1] / "data" / "search_vectors.npz"


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class SearchVectors:
    """Vectors by each pooling; mean and deviation are those of the z-scores' corpus."""

    candidates: dict[Pooling, Float[Tensor, "candidate hidden"]]
    mean: dict[Pooling, Float[Tensor, " hidden"]]
    deviation: dict[Pooling, Float[Tensor, " hidden"]]


def digest_of(candidates: Sequence[str], corpus: Sequence[str]) -> str:
    """Return what tells these sentences from others.

    >>> digest_of(["a bee"], []) == digest_of([], ["a bee"])
    False
    """
    lines = "\n".join([*candidates, "", *corpus])
    return sha256(lines.encode()).hexdigest()


def read_vectors(candidates: Sequence[str], corpus: Sequence[str]) -> SearchVectors:
    """Return the stored vectors. Raises ValueError if they are of other sentences."""
    import numpy as np

    with np.load(VECTORS_FILE, allow_pickle=False) as file:
        if str(file["digest"]) != digest_of(candidates, corpus):
            raise ValueError(
                "the stored vectors are of other sentences than those to be searched: run python"
                " -m tools.search_vectors"
            )
        found: dict[str, dict[Pooling, Tensor]] = {
            name: {pooling: torch.from_numpy(file[f"{pooling}_{name}"]) for pooling in POOLINGS}
            for name in ("candidates", "mean", "deviation")
        }
    return SearchVectors(**found)
