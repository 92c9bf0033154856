"""Batches: padding behind the shorter texts changes nobody's states."""

import pytest
import torch

from mlm_core.encoder.language_model import pad_batch
from mlm_core.text.tokens import tokenize

# float32 sums in another order over twelve layers, on states of size 1 to 10; how far apart they
# come depends on the processor.
TOLERANCE = 1e-4
TEXTS = ("The bank.", "", "Two boats lay on the bank of the river all day long.", "東京 is old.")


def test_a_batch_is_filled_up_with_padding_that_is_not_real(bundled):
    texts = [tokenize(bundled.tokenizer, text) for text in ("The bank.", "Bank")]
    batch = pad_batch(texts, 7)
    n_first, n_second = (len(text.tokens) for text in texts)
    assert batch.ids.shape == batch.segment_ids.shape == batch.not_padding.shape == (2, n_first)
    assert batch.ids[1].tolist() == texts[1].ids + [7] * (n_first - n_second)
    assert batch.not_padding.sum(dim=1).tolist() == [n_first, n_second]


@pytest.mark.parametrize("causal", [False, True])
def test_each_text_of_a_batch_has_the_states_that_it_has_alone(bundled, causal: bool):
    texts = [tokenize(bundled.tokenizer, text) for text in TEXTS]
    texts.append(tokenize(bundled.tokenizer, "It rose.", "We fled."))  # two segments
    together = bundled.encode_batch(texts, causal=causal)
    assert len(together.states) == bundled.n_layers + 1
    for i, text in enumerate(texts):
        alone = bundled.encode(text, causal=causal)
        for one, batch in zip(alone.states, together.states, strict=True):
            torch.testing.assert_close(one[0], batch[i, : len(text.tokens)], atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("layer", [0, 1, 12])
def test_one_layer_at_some_positions_is_that_of_all(bundled, layer: int):
    texts = [tokenize(bundled.tokenizer, text) for text in TEXTS]
    at = torch.tensor([[0, 2], [1, 0], [5, 9], [1, 1]])
    found = bundled.states_at(texts, layer, at)
    whole = bundled.encode_batch(texts).states[layer]
    for i, places in enumerate(at.tolist()):
        torch.testing.assert_close(found[i], whole[i, places], atol=TOLERANCE, rtol=0)


def test_the_input_vectors_are_the_models_own(bundled):
    n_entries = bundled.tokenizer.get_vocab_size()
    assert bundled.token_embedding.shape == (n_entries, bundled.hidden_size)
    assert bundled.token_embedding.data_ptr() == bundled.bert.embeddings.token.weight.data_ptr()


def test_no_text_and_a_text_beyond_the_window_are_refused(bundled, unchecked_shapes):
    with pytest.raises(ValueError, match="a batch of no texts: pass at least one"):
        bundled.encode_batch([])
    long = tokenize(bundled.tokenizer, "bank " * 200)
    with pytest.raises(ValueError, match="positions for 128: shorten the text"):
        bundled.encode_batch([long])
