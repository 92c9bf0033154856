"""The stored pseudo-perplexity of our sentences: it comes out again, and the nearest are taken."""

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.stored.sentence_scores import perplexities_near, read_scores
from tools.sentence_scores import N_SENTENCES, chosen_sentences, scores


@pytest.mark.parametrize(("language", "name"), READERS.items())
def test_the_first_scores_come_out_again(language: str, name: str):
    stored = read_scores(name)
    assert len(stored) == N_SENTENCES
    again = scores(load(name), chosen_sentences(language)[:3])
    for (n_tokens, perplexity), (n_again, found) in zip(stored, again, strict=False):
        assert (n_tokens, perplexity) == (n_again, pytest.approx(found, rel=1e-3))


def test_the_nearest_in_length_are_taken_and_another_model_has_none():
    lengths = {perplexity: n_tokens for n_tokens, perplexity in read_scores("mini-bert")}
    near = [lengths[one] for one in perplexities_near("mini-bert", 15, 30)]
    assert len(near) == 30 and all(12 <= n_tokens <= 18 for n_tokens in near)
    assert perplexities_near("my-bert", 15) == []
