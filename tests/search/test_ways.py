"""Late interaction, expansion and re-ranking: worked by hand, and what holds for all texts."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.search.expansion import Expansion, expand, expansion_scores, word_weights
from mlm_core.search.late_interaction import best_matches, late_scores, max_sim, token_states
from mlm_core.search.reranking import relevance, rerank
from mlm_core.search.vectors import sentence_vectors
from tests.finetuning.small_models import run_to_its_end, small_data

SENTENCES = ("The old man crossed the river.", "It rained.", "The dog waited at night.")


def test_each_token_of_a_query_counts_by_its_best_match():
    query = torch.tensor([[[2.0, 0.0], [0.6, 0.8], [9.0, 9.0]]])  # the last is padding
    texts = torch.tensor([[[0.0, 1.0], [3.0, 4.0]], [[5.0, 0.0], [0.0, 7.0]]])
    query_is_real = torch.tensor([[True, True, False]])
    text_is_real = torch.tensor([[True, True], [True, False]])
    found = max_sim(query, query_is_real, texts, text_is_real)
    # To the first text 0.6 and 1, both by its second token; to the second's only token 1 and 0.6.
    assert found.tolist() == [pytest.approx([0.8, 0.8])]
    best, cosines = best_matches(query[0, :2], texts[0])
    assert best.tolist() == [1, 1] and cosines.tolist() == pytest.approx([0.6, 1.0])


def test_a_text_finds_itself_and_padding_changes_nothing(encoder):
    states = token_states(encoder, SENTENCES)
    assert len({len(one) for one in states}) == 3
    scores = late_scores(states, states)
    np.testing.assert_allclose(np.diag(scores), 1.0, atol=1e-6)
    assert (scores <= 1 + 1e-6).all() and scores[0, 1] < 0.999
    for i, j in ((0, 1), (1, 2), (2, 0)):
        alone = late_scores([states[i]], [states[j]])
        np.testing.assert_allclose(alone, scores[i : i + 1, j : j + 1], atol=1e-5)
    means = torch.stack([one.mean(dim=0) for one in states])
    torch.testing.assert_close(means, sentence_vectors(encoder, SENTENCES), atol=1e-5, rtol=1e-5)


def test_a_word_weighs_what_its_best_token_gives_it():
    logits = torch.tensor([[0.0, 1.0, -3.0], [2.0, 0.5, -1.0]])
    np.testing.assert_allclose(word_weights(logits), np.log([3.0, 2.0, 1.0]), rtol=1e-6)


def test_the_heaviest_words_are_kept_whatever_is_read_together(encoder):
    n_vocabulary = encoder.tokenizer.get_vocab_size()
    every = expand(encoder, SENTENCES, n_vocabulary + 5)
    some = expand(encoder, SENTENCES[1:], 7)
    assert every.ids.shape == (3, n_vocabulary)
    np.testing.assert_allclose(some.weights, every.weights[1:, :7], atol=1e-5)
    assert (every.weights >= 0).all() and (every.weights.diff(dim=1) <= 0).all()
    scores = expansion_scores(some, some, n_vocabulary)
    np.testing.assert_allclose(np.diag(scores), 1.0)


def test_expanded_words_are_compared_as_in_tf_idf():
    texts = Expansion(ids=torch.tensor([[0, 2], [2, 3]]), weights=torch.tensor([[2.0, 1], [4, 0]]))
    query = Expansion(ids=torch.tensor([[2, 1]]), weights=torch.tensor([[1.0, 3.0]]))
    # Word 2 is in both texts, word 0 in one; 1 is in none, and so is 3, whose weight is 0.
    once, never = math.log(3 / 2) + 1, math.log(3) + 1
    length = math.hypot(1, 3 * never)
    expected = [1 / length / math.hypot(2 * once, 1), 1 / length]
    np.testing.assert_allclose(expansion_scores(query, texts, 5), [expected], rtol=1e-6)


def test_only_the_first_found_change_their_places():
    cosines = np.array([[0.1, 0.9, 0.7, 0.8], [0.5, 0.2, 0.6, 0.1]])
    judged = {0: {1: 0.2, 3: 0.9}, 1: {2: 0.5, 0: 0.3}}
    found = rerank(cosines, lambda query, some: np.array([judged[query][i] for i in some]), k=2)
    assert [np.argsort(-row).tolist() for row in found] == [[3, 1, 2, 0], [2, 0, 1, 3]]
    none = rerank(cosines, lambda query, some: np.empty(0), k=0)
    np.testing.assert_array_equal(none, cosines)
    whole = rerank(cosines, lambda query, some: -cosines[query, some], k=4)
    np.testing.assert_allclose(whole, 2 - cosines)


def test_a_pair_model_judges_each_text_as_alone(encoder):
    data, names = small_data("classes", pairs=True), ("related", "same", "unrelated")
    name_of = dict(zip(data.classes, names, strict=True))
    parts = {
        part: tuple(replace(one, label=name_of[one.label]) for one in getattr(data, part))
        for part in ("train", "test")
    }
    data = replace(data, classes=names, **parts)
    model = fine_tuned(run_to_its_end(data, encoder), encoder)
    found = relevance(model, SENTENCES[0], SENTENCES)
    alone = [model.class_log_probabilities(SENTENCES[0], one).exp()[1] for one in SENTENCES]
    np.testing.assert_allclose(found, alone, atol=1e-5)
