"""Word vectors from every architecture on the list, against transformers itself.

RoBERTa's pieces carry the space before the word and XLM-R's a "▁"; padding ids differ.
"""

import pytest
import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors, word_vectors
from mlm_core.embeddings.locating import find_word, locate_words
from mlm_core.encoder.pretrained import load
from mlm_core.text.tokens import tokenize
from tests.reference.small_checkpoints import ARCHITECTURES, N_LAYERS, N_TOKENS, save_small

# As in test_other_architectures.py.
TOLERANCE = 1e-5
TEXTS = ("The old man went.", "man", "a man, the man: man!", "No (man) is an island")


@pytest.fixture(scope="module", params=ARCHITECTURES)
def loaded(request, tmp_path_factory):
    """Give the model as load() gives it, and the one that transformers saved."""
    folder = tmp_path_factory.mktemp("checkpoint") / request.param
    theirs = save_small(request.param, folder)
    return load(request.param, folder), theirs


def test_a_batch_with_padding_gives_what_each_text_gets_alone(loaded):
    ours, _ = loaded
    texts = [tokenize(ours.tokenizer, text, max_tokens=N_TOKENS) for text in TEXTS]
    assert len({len(text.tokens) for text in texts}) > 2
    together = ours.encode_batch(texts)
    assert len(together.states) == N_LAYERS + 1
    for i, text in enumerate(texts):
        alone = ours.encode(text)
        for one, batch in zip(alone.states, together.states, strict=True):
            torch.testing.assert_close(one[0], batch[i, : len(text.tokens)], atol=TOLERANCE, rtol=0)


def test_word_vectors_are_the_states_of_transformers_at_the_words_pieces(loaded):
    ours, theirs = loaded
    sentences = [find_word(text, "man").marked() for text in TEXTS]
    vectors = all_layers_word_vectors(ours, sentences)
    for i, place in enumerate(vectors.located):
        spelled = "".join(piece.text for piece in place.subwords)
        assert spelled.replace("##", "").strip("Ġ▁ ") == "man", "the word and nothing but the word"
        output = theirs(torch.tensor([place.text.ids]), output_hidden_states=True)
        for layer, states in enumerate(output["hidden_states"]):
            expected = states[0, list(place.positions)].mean(dim=0)
            torch.testing.assert_close(vectors.states[layer, i], expected, atol=TOLERANCE, rtol=0)
    for layer, expected in enumerate(vectors.states):
        alone = word_vectors(ours, sentences, layer=layer)
        torch.testing.assert_close(alone, expected, atol=TOLERANCE, rtol=0)
    rows = theirs.get_input_embeddings().weight[[p.id for p in vectors.located[1].subwords]]
    torch.testing.assert_close(vectors.static[1], rows.mean(dim=0))


def test_a_word_far_into_a_long_text_is_read_in_a_window_around_it(loaded):
    ours, _ = loaded
    text = "the dog and " * 20 + "man" + " or the cat" * 20
    place = next(locate_words(ours, [find_word(text, "man").marked()]))
    assert len(place.text.tokens) == ours.max_tokens and place.text.n_left_out > 100
    assert "man" in "".join(piece.text for piece in place.subwords)
    whole = tokenize(ours.tokenizer, "x").tokens
    assert place.text.tokens[0].id == whole[0].id and place.text.tokens[-1].id == whole[-1].id
