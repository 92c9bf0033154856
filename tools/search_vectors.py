"""Read the sentences that lesson 12 opens on with the bundled model of each language.

    make stored STORED=search_vectors    mlm_core/data/search_vectors*.npz, in ten seconds

Read before this: ../mlm_core/stored/search_vectors.py.
"""

from collections.abc import Iterator

import numpy as np

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import corpus_in, search_task
from mlm_core.search.vectors import pooled_vectors
from mlm_core.stored.search_vectors import vectors_file


def make_vectors() -> Iterator[str]:
    """Read candidates and corpus, write their vectors; yield a line a language for a log."""
    for language in READERS:
        yield _make(language)


def _make(language: str) -> str:
    model, pairs = load(READERS[language]), stored_paraphrases(language)
    candidates = search_task(one for one in pairs if one.part == "test").candidates
    corpus = corpus_in(language)
    read, of_corpus = pooled_vectors(model, candidates), pooled_vectors(model, corpus)
    arrays = {}
    for pooling, vectors in read.items():
        arrays[f"{pooling}_candidates"] = vectors.numpy()
        arrays[f"{pooling}_mean"] = of_corpus[pooling].mean(dim=0).numpy()
        arrays[f"{pooling}_deviation"] = of_corpus[pooling].std(dim=0, correction=0).numpy()
    np.savez_compressed(vectors_file(language), **arrays)
    return f"{language}: {len(candidates)} candidates, {len(corpus)} sentences of the corpus"
