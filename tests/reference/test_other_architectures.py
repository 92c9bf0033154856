"""Every architecture on the list, small and random, through load() against transformers itself."""

import pytest
import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.pretrained import ModelUnavailableError, load
from mlm_core.inside.quantized import model_bytes, quantize
from mlm_core.inside.switches import loss_on, switch_off
from mlm_core.text.tokens import tokenize
from tests.reference.small_checkpoints import (
    ARCHITECTURES,
    HIDDEN_SIZE,
    N_HEADS,
    N_LAYERS,
    N_TOKENS,
    save_small,
)

TEXTS = (
    ("The old man went to the market.", None),
    ("ü 東 🙂", None),
    ("", None),
    ("a b", "the dog"),
)
# Both sides run the same operations in float32 on states of size 1 to 10; fused attention and
# another order of sums leave some 1e-6, and two layers do not grow it tenfold.
TOLERANCE = 1e-5


@pytest.fixture(scope="module", params=ARCHITECTURES)
def loaded(request, tmp_path_factory):
    """Give the model as load() gives it, and the one that transformers saved."""
    folder = tmp_path_factory.mktemp("checkpoint") / request.param
    theirs = save_small(request.param, folder)
    ours = load(request.param, folder)
    return request.param, ours, theirs


def run_theirs(architecture, theirs, text, **options):
    inputs = {"input_ids": torch.tensor([text.ids])}
    if architecture.startswith("bert"):
        inputs["token_type_ids"] = torch.tensor([text.segment_ids])
    return theirs(**inputs, **options)


def masked_logits(output):
    return output["logits" if "logits" in output else "prediction_logits"][0]


def test_the_sizes_are_those_of_the_checkpoint(loaded):
    architecture, ours, theirs = loaded
    assert (ours.name, ours.architecture) == (architecture, theirs.config.model_type)
    assert (ours.n_layers, ours.n_heads) == (N_LAYERS, N_HEADS)
    assert (ours.hidden_size, ours.max_tokens) == (HIDDEN_SIZE, N_TOKENS)
    assert ours.n_parameters == pytest.approx(theirs.num_parameters(), rel=0.1)
    assert isinstance(ours.bert, Bert) == architecture.startswith("bert")


@pytest.mark.parametrize(("first", "second"), TEXTS)
def test_states_weights_and_logits_are_those_of_transformers(loaded, first, second):
    architecture, ours, theirs = loaded
    text = tokenize(ours.tokenizer, first, second)
    output = run_theirs(
        architecture, theirs, text, output_hidden_states=True, output_attentions=True
    )
    encoding = ours.encode(text, record=True)
    assert len(encoding.states) == N_LAYERS + 1 and len(encoding.weights) == N_LAYERS
    for mine, other in zip(encoding.states, output["hidden_states"], strict=True):
        torch.testing.assert_close(mine, other, atol=TOLERANCE, rtol=0)
    for mine, other in zip(encoding.weights, output["attentions"], strict=True):
        torch.testing.assert_close(mine, other, atol=TOLERANCE, rtol=0)
        torch.testing.assert_close(mine.sum(dim=-1), torch.ones(1, N_HEADS, len(text.ids)))
    logits = ours.vocabulary_logits(text)
    assert logits.shape == (len(text.ids), theirs.config.vocab_size)
    torch.testing.assert_close(logits, masked_logits(output), atol=TOLERANCE, rtol=0)
    assert logits.std() > 0.1, "the random model is too flat to show a mistake"


def test_weights_are_recorded_only_when_asked_for(loaded):
    _, ours, _ = loaded
    assert ours.encode(tokenize(ours.tokenizer, "the dog")).weights == ()


def test_a_text_of_exactly_max_tokens_fits_and_tokenize_cuts_a_longer_one_to_it(loaded):
    architecture, ours, theirs = loaded
    text = tokenize(ours.tokenizer, "the man and " * 20, max_tokens=ours.max_tokens)
    assert len(text.tokens) == ours.max_tokens == N_TOKENS and text.n_left_out > 0
    output = run_theirs(architecture, theirs, text)
    torch.testing.assert_close(
        ours.vocabulary_logits(text), masked_logits(output), atol=TOLERANCE, rtol=0
    )


def test_one_token_more_than_max_tokens_is_refused(loaded):
    _, ours, _ = loaded
    text = tokenize(ours.tokenizer, "the man and " * 20, max_tokens=ours.max_tokens + 1)
    with pytest.raises(ValueError, match=rf"{N_TOKENS + 1} tokens, but .* {N_TOKENS}: shorten"):
        ours.encode(text)
    with pytest.raises(ValueError, match="shorten the text"):
        ours.vocabulary_logits(text)


def test_masks_work_in_our_encoder_and_are_refused_elsewhere(loaded):
    _, ours, _ = loaded
    text = tokenize(ours.tokenizer, "the old man and the dog")
    n_tokens = len(text.tokens)
    if ours.bert:
        weights = ours.encode(text, causal=True, record=True).weights
        assert all((layer.triu(1) == 0).all() for layer in weights)
        assert not torch.equal(
            ours.vocabulary_logits(text, causal=True), ours.vocabulary_logits(text)
        )
        return
    mask = torch.ones(n_tokens, n_tokens, dtype=torch.bool)
    for options in ({"causal": True}, {"attention_mask": mask}):
        for ask in (ours.encode, ours.vocabulary_logits):
            with pytest.raises(
                ModelUnavailableError, match=r"has no mask switch .* choose a model"
            ):
                ask(text, **options)


def test_words_and_segments_of_a_pair_are_those_of_its_two_texts(loaded):
    _, ours, _ = loaded
    text = tokenize(ours.tokenizer, "the dog", "a man")
    said = [(word.segment, word.text.strip()) for word in text.words]
    assert said == [(0, "the"), (0, "dog"), (1, "a"), (1, "man")]


def test_without_layers_and_with_few_bits_it_still_reads(loaded):
    _, ours, _ = loaded
    text = tokenize(ours.tokenizer, "The old man went to the market.")
    no_layers = switch_off(ours, layers=range(1, N_LAYERS + 1))
    for first in ("The old man went.", "The dog sat."):
        words = [tokenize(ours.tokenizer, first + rest) for rest in (" A", " The")]
        alike = [no_layers.vocabulary_logits(each)[1] for each in words]
        assert torch.equal(*alike), "without attention no token knows of another"
    assert model_bytes(quantize(ours, 2), 2) < model_bytes(ours) / 4
    moved = quantize(ours, 8).vocabulary_logits(text) - ours.vocabulary_logits(text)
    assert 0 < moved.abs().max() < 1
    assert loss_on(ours, [text]) > 0
