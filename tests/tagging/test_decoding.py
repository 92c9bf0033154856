"""Greedy and Viterbi: by hand, and against trying every path."""

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.tagging.bio_tags import SCHEMES, tags_of
from mlm_core.tagging.decoding import greedy, viterbi
from mlm_core.tagging.transitions import faults_in, legal_transitions

TAGS = tags_of(["PER"], "BIO")  # O, B-PER, I-PER
# Word 0 is O by a hair, word 1 is I-PER: greedy steps from O to I-PER.
STUMBLE = torch.tensor([[0.5, 0.4, 0.1], [0.3, 0.1, 0.6], [0.8, 0.1, 0.1]]).double().log()


def drawn(n_words, n_tags, seed):
    logits = torch.randn(n_words, n_tags, generator=torch.Generator().manual_seed(seed))
    return torch.log_softmax(2 * logits.double(), dim=-1)


def every_legal_path(log_probabilities, tags, scheme):
    """Return each legal path with its log-probability, by trying all k^n."""
    n_words = len(log_probabilities)
    return {
        path: sum(log_probabilities[i, t].item() for i, t in enumerate(path))
        for path in product(range(len(tags)), repeat=n_words)
        if not faults_in([tags[t] for t in path], scheme)
    }


def test_by_hand_greedy_makes_an_illegal_step_and_viterbi_does_not():
    taken = greedy(STUMBLE)
    assert [TAGS[t] for t in taken.path] == ["O", "I-PER", "O"]
    assert taken.log_probability == pytest.approx(torch.tensor(0.5 * 0.6 * 0.8).log().item())
    found = viterbi(STUMBLE, legal_transitions(TAGS, "BIO"))
    assert [TAGS[t] for t in found.path] == ["B-PER", "I-PER", "O"]
    table = [[0.5, 0.4, 0], [0.5 * 0.3, 0.5 * 0.1, 0.4 * 0.6], [0.24 * 0.8, 0.24 * 0.1, 0.24 * 0.1]]
    torch.testing.assert_close(found.best.exp(), torch.tensor(table).double())
    # I-PER may only follow B or I, the rest comes from the best of all.
    assert found.came_from.tolist() == [[-1, -1, -1], [0, 0, 1], [2, 2, 2]]
    assert found.log_probability == pytest.approx(torch.tensor(0.24 * 0.8).log().item())


@pytest.mark.parametrize("scheme", SCHEMES)
@settings(max_examples=40)
@given(n_words=st.integers(1, 4), seed=st.integers(0, 2**31))
def test_viterbi_finds_what_trying_every_path_finds(scheme, n_words, seed):
    tags = tags_of(["PER", "LOC"] if scheme != "BIOES" else ["PER"], scheme)
    distributions = drawn(n_words, len(tags), seed)
    found = viterbi(distributions, legal_transitions(tags, scheme))
    paths = every_legal_path(distributions, tags, scheme)
    assert found.log_probability == pytest.approx(max(paths.values()))
    assert paths[found.path] == pytest.approx(found.log_probability)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(n_words=st.integers(1, 20), seed=st.integers(0, 2**31))
def test_a_path_is_legal_never_above_greedy_and_equal_to_it_where_that_is_legal(
    scheme, n_words, seed
):
    tags = tags_of(["PER", "LOC", "ORG"], scheme)
    distributions = drawn(n_words, len(tags), seed)
    found = viterbi(distributions, legal_transitions(tags, scheme))
    taken = greedy(distributions)
    assert not faults_in([tags[t] for t in found.path], scheme)
    assert found.log_probability <= taken.log_probability + 1e-9
    if not faults_in([tags[t] for t in taken.path], scheme):
        assert found.path == taken.path
    spent = distributions[range(n_words), found.path].sum().item()
    assert spent == pytest.approx(found.log_probability)


def test_a_single_word_in_bioes_can_neither_stay_open_nor_close_nothing():
    tags = tags_of(["PER"], "BIOES")  # O, B, I, E, S
    sure_of_b = torch.tensor([[0.05, 0.9, 0.01, 0.01, 0.03]]).log()
    assert viterbi(sure_of_b, legal_transitions(tags, "BIOES")).path == (0,)


def test_of_two_equal_paths_the_tag_named_first_wins():
    even = torch.zeros(3, 3)
    assert viterbi(even, legal_transitions(TAGS, "BIO")).path == (0, 0, 0)
    assert greedy(even).path == (0, 0, 0)


def test_no_words_make_an_empty_path():
    nothing = torch.zeros(0, 3)
    found = viterbi(nothing, legal_transitions(TAGS, "BIO"))
    assert (found.path, found.log_probability) == ((), 0.0)
    assert (greedy(nothing).path, greedy(nothing).log_probability) == ((), 0.0)


def test_what_can_not_be_decoded_is_refused():
    legal = legal_transitions(TAGS, "BIO")
    with pytest.raises(ValueError, match="2 columns for 3 tags"):
        viterbi(torch.zeros(4, 2), legal)
    only_i = torch.tensor([[float("-inf"), float("-inf"), 0.0]])
    with pytest.raises(ValueError, match="no legal path through 1 words"):
        viterbi(only_i, legal)
