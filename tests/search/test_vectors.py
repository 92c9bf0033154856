"""One vector for each sentence."""

import numpy as np
import pytest
import torch

from mlm_core.search.graded_pairs import SearchTask
from mlm_core.search.vectors import pool_states, search, sentence_vectors, task_cosines, z_scored
from mlm_core.text.tokens import tokenize

SENTENCES = ["The old man crossed the river.", "It rained.", "The old man crossed the river."]


@pytest.mark.parametrize("layer", [0, 2, None])
def test_a_sentence_has_the_same_vectors_alone_and_in_a_batch(encoder, layer):
    means = sentence_vectors(encoder, SENTENCES, layer=layer)
    firsts = sentence_vectors(encoder, SENTENCES, pooling="cls", layer=layer)
    for i, sentence in enumerate(SENTENCES):
        states = encoder.encode(tokenize(encoder.tokenizer, sentence)).states
        of_layer = states[-1 if layer is None else layer][0]
        torch.testing.assert_close(means[i], of_layer.mean(dim=0), atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(firsts[i], of_layer[0], atol=1e-5, rtol=1e-5)


def test_padding_has_no_part_in_the_mean():
    states = torch.tensor([[[1.0], [3.0], [100.0]]])
    real = torch.tensor([[True, True, False]])
    assert pool_states(states, real, "mean").tolist() == [[2.0]]
    assert pool_states(states, real, "cls").tolist() == [[1.0]]


def test_z_scores_of_the_corpus_itself_have_mean_0_and_deviation_1(encoder):
    vectors = sentence_vectors(encoder, SENTENCES[:2])
    z = z_scored(vectors, vectors)
    torch.testing.assert_close(z.mean(dim=0), torch.zeros(z.shape[1]), atol=1e-5, rtol=0)
    torch.testing.assert_close(z.std(dim=0, correction=0), torch.ones(z.shape[1]))


def test_the_nearest_candidate_comes_first_and_of_equal_ones_the_earlier():
    candidates = torch.tensor([[0.0, 1.0], [1.0, 1.0], [5.0, 0.0], [1.0, 0.0]])
    hits = search(torch.tensor([2.0, 0.0]), candidates, 3)
    assert [hit.number for hit in hits] == [2, 3, 1]
    assert hits[-1].cosine == pytest.approx(np.sqrt(0.5))


def test_the_cosines_of_a_task_are_those_of_its_vectors(encoder):
    task = SearchTask(
        queries=tuple(SENTENCES[:1]), candidates=tuple(SENTENCES[:2]), right=(0,), pairs=()
    )
    raw, z = task_cosines(encoder, task), task_cosines(encoder, task, corpus=SENTENCES[1:])
    assert raw.shape == z.shape == (1, 2)
    assert raw[0, 0] == pytest.approx(1.0) and raw[0, 1] < 1
    first, second = z_scored(
        *[sentence_vectors(encoder, part) for part in (SENTENCES[:2], SENTENCES[1:])]
    )
    assert z[0, 1] == pytest.approx(torch.cosine_similarity(first, second, dim=0).item(), abs=1e-5)
