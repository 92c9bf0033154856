"""Make the stored maps of words: UMAP at every layer of the bundled models.

    python -m tools.stored_maps                          # all, in some minutes
    python -m tools.stored_maps bank two_languages/die   # these

Run it after a change of the sentences, a model or the method.

Read before this: ../mlm_core/stored/maps.py, ../mlm_core/embeddings/maps.py.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from mlm_core.embeddings.contextual import Pooling, all_layers_word_vectors
from mlm_core.embeddings.locating import locate_words
from mlm_core.embeddings.maps import align, align_all, umap_layout
from mlm_core.embeddings.senses_data import MarkedSentence, stored_word
from mlm_core.embeddings.umap_fit import N_NEIGHBOURS
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDERS
from mlm_core.encoder.pretrained import load
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.maps import SEED, map_file, map_names

# Counts up when the way a map is made changes; the numbers it uses are in the fingerprint too.
VERSION = 1


def write_maps(names: Sequence[str] = ()) -> Iterator[str]:
    """Make and store the named maps, or all; yield log lines.

    Raises ValueError for an unknown name.
    """
    for name in names:
        stored_word(name)
    for model_name in BUNDLED_FOLDERS:
        model = load(model_name)
        for name in map_names(model_name):
            if not names or name in names:
                yield from _write(model, name)


def _write(model: MaskedLanguageModel, name: str) -> Iterator[str]:
    sentences = stored_word(name).sentences
    for pooling in poolings_that_differ(model, sentences):
        path = map_file(name, pooling, model.name)
        layouts = make_maps(model, sentences, pooling)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            path,
            layouts=layouts.numpy().astype(np.float16),
            fingerprint=np.array(fingerprint(sentences, pooling, model.name)),
        )
        yield f"{model.name}, {path.name}: {len(layouts)} maps of {len(sentences)} points"


def make_maps(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence], pooling: Pooling = "mean"
) -> Float[Tensor, "setting point 2"]:
    """Return aligned maps of all layers and of the mean of the last four."""
    vectors = all_layers_word_vectors(model, sentences, pooling=pooling)
    layers = align_all(torch.stack([umap_layout(layer, SEED) for layer in vectors.states]))
    mixed = align(umap_layout(vectors.at("mean_last_4"), SEED), layers[-1])
    return torch.cat([layers, mixed[None]])


def poolings_that_differ(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence]
) -> tuple[Pooling, ...]:
    """Return the ways to pool subwords that give different maps for a word."""
    is_cut = any(len(place.positions) > 1 for place in locate_words(model, sentences))
    return ("mean", "first") if is_cut else ("mean",)


def fingerprint(
    sentences: Sequence[MarkedSentence], pooling: Pooling = "mean", model_name: str = BUNDLED
) -> str:
    """Return a hash of the sentences, a bundled model and the settings."""
    digest = hashlib.sha256()
    for file in ("model.safetensors", "tokenizer.json"):
        with (BUNDLED_FOLDERS[model_name] / file).open("rb") as opened:
            # file_digest reads in chunks; read_bytes() would hold the whole file in memory.
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    for sentence in sentences:
        digest.update(f"{sentence.text}\n{sentence.start}\n{sentence.end}\n".encode())
    digest.update(f"{VERSION} {SEED} {N_NEIGHBOURS} {pooling}".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    for line in write_maps(sys.argv[1:]):
        print(line, flush=True)
