"""Read the sentences that lesson 12 opens on with the bundled model.

    python -m tools.search_vectors    (re)makes mlm_core/data/search_vectors.npz, in ten seconds

Read before this: ../mlm_core/stored/search_vectors.py.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import search_task, sentences_of
from mlm_core.search.vectors import pooled_vectors
from mlm_core.stored.search_vectors import VECTORS_FILE


def make_vectors(path: Path = VECTORS_FILE) -> Iterator[str]:
    """Read candidates and corpus, write their vectors; yield a line for a log."""
    model, pairs = load(BUNDLED), stored_paraphrases()
    candidates = search_task(one for one in pairs if one.part == "test").candidates
    corpus = sentences_of(one for one in pairs if one.part == "train")
    read, of_corpus = pooled_vectors(model, candidates), pooled_vectors(model, corpus)
    arrays = {}
    for pooling, vectors in read.items():
        arrays[f"{pooling}_candidates"] = vectors.numpy()
        arrays[f"{pooling}_mean"] = of_corpus[pooling].mean(dim=0).numpy()
        arrays[f"{pooling}_deviation"] = of_corpus[pooling].std(dim=0, correction=0).numpy()
    np.savez_compressed(path, **arrays)
    yield f"{len(candidates)} candidates, {len(corpus)} sentences of the corpus"


if __name__ == "__main__":
    for line in make_vectors():
        print(line, flush=True)
