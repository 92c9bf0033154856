"""Stored maps of the stored words at every layer, so that a lesson opens at once.

UMAP takes seconds to import and more to compile, so its maps of the stored sentences with the
bundled models are kept in data/maps. `python -m tools.stored_maps` makes them. Words of two
languages and German ones have maps of both models, English ones of the English model.

Each file holds the layouts [setting, point, 2] and a fingerprint of the sentences, the weights and
the settings, which a test compares. The sum of the last four layers has the same cosines as their
mean, and so the same map.

Read before this: ../embeddings/maps.py.
"""

from dataclasses import dataclass
from pathlib import Path

import torch

from mlm_core.embeddings.contextual import Layer, Pooling
from mlm_core.embeddings.senses_data import stored_names, stored_word, two_language_names
from mlm_core.encoder.model_list import BUNDLED, READERS
from mlm_core.shapes import Float, Tensor

MAPS_FOLDER = Path(__file__).parents[1] / "data" / "maps"
SEED = 0  # of UMAP, for all stored maps


@dataclass(frozen=True, kw_only=True)
class StoredMaps:
    """One word's maps at every layer, each aligned with the next layer's."""

    name: str
    layouts: Float[Tensor, "setting point 2"]  # layers from 0 up, then the mean of the last four

    @property
    def n_layers(self) -> int:
        """Return the number of layers of the model."""
        return len(self.layouts) - 2

    def at(self, layer: Layer) -> Float[Tensor, "point 2"]:
        """Return the map of a layer or the last four. Raises ValueError for others."""
        if layer in ("mean_last_4", "sum_last_4"):
            return self.layouts[-1]
        if isinstance(layer, int) and 0 <= layer <= self.n_layers:
            return self.layouts[layer]
        raise ValueError(f"no stored map of layer {layer!r}: choose from 0 to {self.n_layers}")


def map_names(model_name: str = BUNDLED) -> tuple[str, ...]:
    """Return the names of the words that a model has stored maps of; none of another model."""
    if model_name not in READERS.values():
        return ()
    names = stored_names()
    if model_name != BUNDLED:
        names = tuple(name for name in names if stored_word(name).language != "en")
    return (*names, *two_language_names())


def read_maps(name: str, pooling: Pooling = "mean", model_name: str = BUNDLED) -> StoredMaps:
    """Return a word's stored maps."""
    import numpy as np

    with np.load(map_file(name, pooling, model_name), allow_pickle=False) as file:
        layouts = torch.from_numpy(file["layouts"]).float()
    return StoredMaps(name=name, layouts=layouts)


def map_file(name: str, pooling: Pooling = "mean", model_name: str = BUNDLED) -> Path:
    """Return where a word's maps are stored."""
    folder = MAPS_FOLDER if model_name == BUNDLED else MAPS_FOLDER / model_name
    return folder / (f"{name}.npz" if pooling == "mean" else f"{name}.{pooling}.npz")
