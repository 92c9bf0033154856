"""The stored vectors of the sentences that are searched."""

import pytest
import torch

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import search_task
from mlm_core.search.vectors import pooled_vectors
from mlm_core.stored.search_vectors import read_vectors


@pytest.mark.parametrize("language", READERS)
def test_the_stored_vectors_are_the_models_of_the_present_sentences(language: str):
    stored, pairs = read_vectors(language), stored_paraphrases(language)
    candidates = search_task(p for p in pairs if p.part == "test").candidates
    here = pooled_vectors(load(READERS[language]), candidates[::20])
    for pooling, vectors in stored.candidates.items():
        assert len(vectors) == len(candidates)
        torch.testing.assert_close(vectors[::20], here[pooling], atol=1e-3, rtol=1e-3)
        assert stored.mean[pooling].shape == stored.deviation[pooling].shape == vectors[0].shape
