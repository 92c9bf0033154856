"""The stored vectors of the sentences that are searched."""

import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import search_task
from mlm_core.search.vectors import pooled_vectors
from mlm_core.stored.search_vectors import read_vectors


def test_the_stored_vectors_are_the_models_of_the_present_sentences():
    stored = read_vectors()
    candidates = search_task(p for p in stored_paraphrases() if p.part == "test").candidates
    here = pooled_vectors(load(BUNDLED), candidates[::20])
    for pooling, vectors in stored.candidates.items():
        assert len(vectors) == len(candidates)
        torch.testing.assert_close(vectors[::20], here[pooling], atol=1e-3, rtol=1e-3)
        assert stored.mean[pooling].shape == stored.deviation[pooling].shape == vectors[0].shape
