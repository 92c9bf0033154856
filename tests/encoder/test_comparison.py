"""One word in two texts, compared layer by layer."""

import numpy as np
import pytest
import torch

from mlm_core.encoder.bert import Bert, Encoding
from mlm_core.encoder.comparison import (
    compare_word,
    count_changed,
    largest_difference,
    shared_words,
    word_vector,
)
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.text.tokens import load_tokenizer, tokenize
from tests.small_bert import small_config


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer(BUNDLED_FOLDER)


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(7)
    config = small_config(16_000, n_positions=32, n_layers=3, n_heads=2)
    return Bert(config).eval().requires_grad_(False)


@pytest.mark.parametrize(("causal", "n_changed"), [(True, 0), (False, 4)])
def test_a_word_at_the_end_changes_earlier_vectors_only_without_the_causal_mask(
    bert, tokenizer, causal, n_changed
):
    shorter, longer = (tokenize(tokenizer, text) for text in ("a dog sat", "a dog sat there"))
    states = [encode(bert, text, causal).last[0] for text in (shorter, longer)]
    assert shorter.ids[:4] == longer.ids[:4]
    assert count_changed(*states, 4) == n_changed


def encode(bert, text, causal):
    return bert.encode(torch.tensor([text.ids]), causal=causal)


def test_shared_words_are_found_in_the_order_of_the_first_text(tokenizer):
    first = tokenize(tokenizer, "The bank of the river, the bank.")
    second = tokenize(tokenizer, "A river bank of sand, the end.")
    assert [word.text for word in shared_words(first, second)] == ["bank", "of", "the", "river"]


def test_punctuation_is_not_shared(tokenizer):
    first, second = tokenize(tokenizer, "Stop!"), tokenize(tokenizer, "Go!")
    assert shared_words(first, second) == ()


def test_only_alike_beginnings_count_as_the_same_before(tokenizer):
    first = tokenize(tokenizer, "The bank was steep.")
    alike = tokenize(tokenizer, "The bank raised rates.")
    other = tokenize(tokenizer, "A bank raised rates.")
    assert [word.same_before for word in shared_words(first, alike)] == [True, True]
    assert [word.same_before for word in shared_words(first, other)] == [False]


def test_a_causal_word_after_the_same_beginning_has_one_vector_in_every_layer(tokenizer, bert):
    first = tokenize(tokenizer, "The bank of the river was steep.")
    second = tokenize(tokenizer, "The bank raised its interest rates.")
    word = shared_words(first, second)[1]
    causal = compare_word(encode(bert, first, True), encode(bert, second, True), word)
    both = compare_word(encode(bert, first, False), encode(bert, second, False), word)
    assert len(causal.cosines) == 4
    # float32 sums in another order where the texts differ in length: a few last bits.
    assert causal.cosines == pytest.approx([1.0] * 4, abs=1e-6)
    assert max(causal.largest_differences) < 1e-5
    assert both.largest_differences[0] == 0  # the embedding has seen no neighbour yet
    # Ten times the bound on rounding above; these weights move a vector by about 1e-3.
    assert min(both.largest_differences[1:]) > 1e-4


def test_the_cosine_is_numpys_on_the_mean_of_the_pieces(tokenizer, bert):
    first = tokenize(tokenizer, "An antidisestablishment view.")
    second = tokenize(tokenizer, "No antidisestablishment here.")
    word = shared_words(first, second)[0]
    assert len(word.first.positions) > 1
    one, other = encode(bert, first, False), encode(bert, second, False)
    a = one.last[0].numpy()[list(word.first.positions)].mean(axis=0)
    b = other.last[0].numpy()[list(word.second.positions)].mean(axis=0)
    expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert compare_word(one, other, word).cosines[-1] == pytest.approx(expected, abs=1e-6)
    np.testing.assert_allclose(word_vector(one.last[0], word.first).numpy(), a, rtol=1e-6)


def test_the_largest_difference_looks_at_the_first_tokens_only():
    first = Encoding(states=(torch.tensor([[[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]]]),))
    second = Encoding(states=(torch.tensor([[[1.0, 2.5], [3.0, 4.0]]]),))
    assert largest_difference(first, second, 2) == 0.5
