"""Word vectors: the same as one by one, the right pieces, the window around the word."""

from functools import cache

import pytest
import torch

from mlm_core.embeddings.contextual import (
    all_layers_word_vectors,
    batches_by_length,
    take_layer,
    word_vectors,
)
from mlm_core.embeddings.locating import find_word, locate_words, split_readable, token_positions
from mlm_core.embeddings.senses_data import MarkedSentence, stored_word
from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.pretrained import load
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.small_bert import small_config

# float32 sums in another order, over states of size 1 to 10 and two to twelve layers.
TOLERANCE = 1e-5


@cache
def bundled():
    return load("mini-bert")


@cache
def small() -> OwnModel:
    """Give a model as one is after a short training: few words, a small window."""
    tokenizer = train_tokenizer("WordPiece", ["the old man sat on the river bank and fished"], 60)
    config = small_config(tokenizer, n_positions=11, initializer_range=0.3)
    generator = torch.Generator().manual_seed(3)
    bert = Bert(config).eval()
    with torch.no_grad():
        for parameter in bert.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return OwnModel("my-encoder", bert, tokenizer)


def marked(text: str, word: str) -> MarkedSentence:
    return find_word(text, word).marked()


SENTENCES = (
    marked("the bank", "bank"),
    marked("the old man sat on the river bank", "bank"),
    marked("bank and bank and bank", "bank"),
)


def test_every_layer_is_what_the_sentence_gets_alone():
    sentences = stored_word("bow").sentences[::9] + stored_word("die_de").sentences[::9]
    for model, chosen in ((bundled(), sentences), (small(), SENTENCES)):
        vectors = all_layers_word_vectors(model, chosen)
        assert vectors.states.shape == (model.n_layers + 1, len(chosen), model.hidden_size)
        for i, sentence in enumerate(chosen):
            text = tokenize(model.tokenizer, sentence.text)
            places = list(token_positions(text, sentence))
            for layer, state in enumerate(model.encode(text).states):
                expected = state[0, places].mean(dim=0)
                torch.testing.assert_close(
                    vectors.states[layer, i], expected, atol=TOLERANCE, rtol=0
                )


def test_one_layer_is_that_of_all_layers():
    vectors = all_layers_word_vectors(small(), SENTENCES)
    for layer in (0, 1, 2, "mean_last_4", "sum_last_4"):
        one = word_vectors(small(), SENTENCES, layer=layer)
        torch.testing.assert_close(one, vectors.at(layer), atol=TOLERANCE, rtol=0)


def test_the_last_four_are_mixed_without_the_embedding_output():
    states = torch.tensor([100.0, 1.0, 2.0, 3.0, 4.0, 7.0])[:, None, None]
    assert take_layer(states, "mean_last_4").item() == 4  # (2 + 3 + 4 + 7) / 4
    assert take_layer(states, "sum_last_4").item() == 16
    assert take_layer(states[:3], "sum_last_4").item() == 3  # two layers, so both
    assert take_layer(states, 0).item() == 100


def test_pieces_are_joined_by_mean_or_first():
    sentence = marked("the fish bank", "fish")
    text = tokenize(small().tokenizer, sentence.text)
    places = token_positions(text, sentence)
    assert (
        len(places) > 1 and "".join(text.tokens[i].text for i in places).replace("##", "") == "fish"
    )
    states = small().encode(text).last[0]
    for pooling, expected in (("mean", states[list(places)].mean(0)), ("first", states[places[0]])):
        vectors = word_vectors(small(), [sentence], layer=2, pooling=pooling)
        torch.testing.assert_close(vectors[0], expected, atol=TOLERANCE, rtol=0)


def test_the_static_vector_is_the_same_in_every_sentence_and_a_row_of_the_table():
    vectors = all_layers_word_vectors(bundled(), stored_word("court").sentences[:3])
    id_ = bundled().tokenizer.token_to_id("court")
    assert torch.equal(vectors.static[0], bundled().token_embedding[id_])
    assert torch.equal(vectors.static[0], vectors.static[1])
    assert not torch.allclose(vectors.states[12, 0], vectors.states[12, 1], atol=0.1)


def test_the_word_that_is_marked_is_the_one_that_is_read():
    text = "bank and bank"
    first, second = (find_word(text, "bank").marked(i) for i in (0, 1))
    vectors = all_layers_word_vectors(small(), [first, second])
    assert [place.positions for place in vectors.located] == [(1,), (3,)]
    assert not torch.allclose(vectors.states[0, 0], vectors.states[0, 1])


def test_the_same_sentence_twice_gets_the_same_vector_and_is_encoded_once():
    done = []
    vectors = all_layers_word_vectors(
        small(), [SENTENCES[0]] * 3, on_progress=lambda n, of: done.append((n, of))
    )
    assert torch.equal(vectors.states[:, 0], vectors.states[:, 2])
    assert done == [(1, 1)]


def test_a_long_sentence_is_cut_to_a_window_around_the_word_and_says_so():
    long = "the old man " * 5 + "sat on the bank and " + "the old man " * 4
    place = next(locate_words(small(), [marked(long, "bank")]))
    assert len(place.text.tokens) == small().max_tokens == 11
    assert place.text.n_left_out == len(tokenize(small().tokenizer, long).tokens) - 11
    assert [piece.text for piece in place.subwords] == ["bank"]
    assert place.text.texts[0] == "[CLS]" and place.text.texts[-1] == "[SEP]"
    before, behind = place.positions[0] - 1, 9 - place.positions[-1]
    assert abs(before - behind) <= 1, "the word stands in the middle"
    assert all_layers_word_vectors(small(), [marked(long, "bank")]).n_left_out[0] > 0


def test_a_word_in_nine_pieces_fills_the_window_and_one_of_ten_is_refused():
    nine, ten = "nenenenen", "nenenenene"  # the vocabulary has no piece of two of its letters
    place = next(locate_words(small(), [marked(f"the {nine} bank and the old man sat", nine)]))
    assert place.positions == tuple(range(1, 10)) and len(place.text.tokens) == 11
    vectors = all_layers_word_vectors(small(), [marked(f"the {nine} bank", nine)])
    assert vectors.states.isfinite().all()
    with pytest.raises(
        ValueError, match=r"a word of 10 pieces .* has room for 9: choose a shorter"
    ):
        all_layers_word_vectors(small(), [marked(f"a {ten} b", ten)])


def test_what_can_not_be_read_is_told_from_the_rest_with_the_reason():
    ten = "nenenenene"
    sentences = [SENTENCES[0], marked(f"a {ten} b", ten), SENTENCES[1]]
    readable, refusals = split_readable(small(), sentences)
    assert readable == (0, 2) and list(refusals) == [1] and "10 pieces" in refusals[1]


def test_a_word_of_which_the_tokenizer_leaves_nothing_is_refused():
    text = "the \u200b bank"
    sentence = MarkedSentence(text=text, start=4, end=5)
    with pytest.raises(ValueError, match=r"leaves nothing of '.+': choose another"):
        all_layers_word_vectors(bundled(), [sentence])


def test_no_sentence_and_no_such_layer_are_refused(unchecked_shapes):
    with pytest.raises(ValueError, match="no sentence: give at least one"):
        all_layers_word_vectors(small(), [])
    for layer in (-1, 3, True, "top"):
        with pytest.raises(ValueError, match="choose a number from 0 to 2, or one of mean_last_4"):
            word_vectors(small(), SENTENCES, layer=layer)
    with pytest.raises(ValueError, match="pooling 'sum': choose one of mean, first"):
        all_layers_word_vectors(small(), SENTENCES, pooling="sum")


def test_batches_hold_every_text_once_from_short_to_long():
    texts = [tuple(range(n)) for n in (5, 700, 3, 2000, 4, 600, 6)]
    batches = list(batches_by_length(texts))
    assert sorted(text for batch in batches for text in batch) == sorted(texts)
    assert [[len(text) for text in batch] for batch in batches] == [
        [3, 4, 5, 6],
        [600],
        [700],
        [2000],
    ]
