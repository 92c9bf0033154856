"""The stored vectors of the sentences that are searched."""

import pytest
import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import search_task, sentences_of
from mlm_core.search.vectors import sentence_vectors
from mlm_core.stored.search_vectors import read_vectors

PAIRS = stored_paraphrases()
CANDIDATES = search_task(one for one in PAIRS if one.part == "test").candidates
CORPUS = sentences_of(one for one in PAIRS if one.part == "train")


def test_the_stored_vectors_are_the_models_of_the_present_sentences():
    stored = read_vectors(CANDIDATES, CORPUS)
    for pooling, vectors in stored.candidates.items():
        here = sentence_vectors(load(BUNDLED), CANDIDATES[-2:], pooling=pooling)
        torch.testing.assert_close(vectors[-2:], here, atol=1e-3, rtol=1e-3)
        assert len(vectors) == len(CANDIDATES)
        assert stored.mean[pooling].shape == stored.deviation[pooling].shape == vectors[0].shape


def test_vectors_of_other_sentences_are_refused():
    with pytest.raises(ValueError, match=r"run python -m tools\.search_vectors"):
        read_vectors(CANDIDATES[1:], CORPUS)
