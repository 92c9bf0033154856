"""The nearest sense: by hand, leave-one-out that never asks the point itself, fallbacks, scores."""

import pytest
import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.embeddings.word_senses import (
    METHODS,
    NOTHING,
    choose_senses,
    leave_one_out,
    most_frequent_sense,
    one_sense_per_discourse,
    scores_by_layer,
    sense_centroids,
    sentence_groups,
)
from mlm_core.encoder.pretrained import load

# Two senses: along the first axis and along the second.
EXAMPLES = torch.tensor([[2.0, 0.0], [4.0, 1.0], [0.0, 3.0]])
SENSES = torch.tensor([0, 0, 1])


def drawn(n=17, hidden=5, n_senses=3, seed=2):
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(n, hidden, generator=generator, dtype=torch.float64)
    senses = torch.arange(n) % n_senses
    return vectors, senses, n_senses


def test_a_sense_vector_is_the_mean_of_its_examples():
    centroids = sense_centroids(EXAMPLES, SENSES, 3)
    assert centroids.tolist() == [[3.0, 0.5], [0.0, 3.0], [0.0, 0.0]]


# (3 * 3 + 4 * 0.5) / (5 * sqrt(9.25)) and 4 / 5; of the examples of sense 0,
# (12 + 4) / (5 * sqrt(17)) beats 6 / 10.
@pytest.mark.parametrize(
    ("method", "cosine", "nearest"),
    [("centroids", 11 / (5 * 9.25**0.5), -1), ("examples", 16 / (5 * 17**0.5), 2)],
)
def test_the_nearest_sense_and_example_worked_by_hand(method, cosine, nearest):
    choice = choose_senses(torch.tensor([[3.0, 4.0]]), EXAMPLES, SENSES, 2, method=method)
    torch.testing.assert_close(choice.cosines, torch.tensor([[cosine, 0.8]]))
    assert choice.senses.tolist() == [1] and choice.nearest.tolist() == [nearest]


@pytest.mark.parametrize("method", METHODS)
def test_leaving_one_out_is_asking_the_others(method):
    vectors, senses, n = drawn()
    choice = leave_one_out(vectors, senses, n, method=method)
    for i in range(len(vectors)):
        others = torch.arange(len(vectors)) != i
        alone = choose_senses(vectors[[i]], vectors[others], senses[others], n, method=method)
        torch.testing.assert_close(choice.cosines[[i]], alone.cosines)
        assert choice.senses[i] == alone.senses[0]
        if method == "examples":
            assert choice.nearest[i] == torch.arange(len(vectors))[others][alone.nearest[0]]


@pytest.mark.parametrize("method", METHODS)
def test_a_sentence_that_stands_twice_does_not_judge_itself(method):
    vectors, senses, n = drawn()
    twice, groups = torch.cat([vectors, vectors]), torch.arange(17).repeat(2)
    choice = leave_one_out(twice, senses.repeat(2), n, groups, method=method)
    once = leave_one_out(vectors, senses, n, method=method)
    torch.testing.assert_close(choice.cosines[:17], once.cosines)
    if method == "examples":
        naive = leave_one_out(twice, senses.repeat(2), n, method=method)
        assert torch.equal(naive.senses, senses.repeat(2)), "the trap itself must work"


@pytest.mark.parametrize("method", METHODS)
def test_a_sense_with_one_example_can_not_be_chosen_for_it(method):
    choice = leave_one_out(EXAMPLES, SENSES, 2, method=method)
    assert choice.senses.tolist() == [0, 0, 0]
    assert choice.cosines[2, 1] == NOTHING
    assert not (choice.cosines == NOTHING).all(dim=1).any()


@pytest.mark.parametrize("method", METHODS)
def test_a_word_without_examples_gets_the_most_frequent_sense(method):
    alone = leave_one_out(EXAMPLES[:1], torch.tensor([1]), 2, method=method)
    assert alone.senses.tolist() == [1] and (alone.cosines == NOTHING).all()
    nothing = choose_senses(EXAMPLES, EXAMPLES[:0], SENSES[:0], 2, method=method)
    assert nothing.senses.tolist() == [0, 0, 0] and (nothing.cosines == NOTHING).all()
    assert most_frequent_sense(torch.tensor([2, 1, 2]), 3) == 2


@pytest.mark.parametrize("method", METHODS)
def test_the_length_of_a_new_point_does_not_matter(method):
    vectors, senses, n = drawn()
    points = vectors[:4] + 0.1
    one = choose_senses(points, vectors, senses, n, method=method)
    other = choose_senses(points * 1000, vectors, senses, n, method=method)
    torch.testing.assert_close(one.cosines, other.cosines)


def test_all_uses_in_one_text_share_the_sense_with_most_evidence():
    points = torch.tensor([[5.0, 1.0], [1.0, 2.0], [0.0, 1.0]])
    choice = choose_senses(points, EXAMPLES, SENSES, 2, method="examples")
    assert choice.senses.tolist() == [0, 1, 1]
    shared = one_sense_per_discourse(choice, torch.tensor([7, 7, 9]))
    # 1.00 + 0.65 for sense 0 against 0.20 + 0.89 for sense 1 in text 7.
    assert shared.tolist() == [0, 0, 1]


def test_what_is_no_sense_and_no_method_is_refused(unchecked_shapes):
    with pytest.raises(ValueError, match="number them from 0 to 1"):
        choose_senses(EXAMPLES, EXAMPLES, torch.tensor([0, 1, 2]), 2)
    with pytest.raises(ValueError, match="method 'vote': choose one of centroids, examples"):
        leave_one_out(EXAMPLES, SENSES, 2, method="vote")


def test_sentences_that_differ_in_signs_and_spaces_only_are_one():
    texts = ("The bank.", "the  BANK", "A bank!", "The bank.")
    groups = sentence_groups([find_word(text, "bank").marked() for text in texts])
    assert groups.tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize("name", ["court", "pitcher", "plant"])
def test_the_bundled_model_tells_senses_apart_in_the_upper_layers_and_not_at_the_bottom(name):
    word = stored_word(name)
    states = all_layers_word_vectors(load("mini-bert"), word.sentences).states
    scores = scores_by_layer(states, torch.tensor(word.sense_numbers), len(word.senses))
    # Layer 0 holds the word and its place alone, so it is at chance, at best a half or a third;
    # the top layers are far above: 0.8 is five standard errors above a half for 54 points.
    assert scores[0].accuracy < 0.65
    assert scores[12].accuracy > 0.8
