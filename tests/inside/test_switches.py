"""Heads and layers that are off: as if their weights were zero, and the model stays as it is."""

import copy
import math

import pytest
import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import MissingHeadError, UnknownHeadsError, UnknownLayersError
from mlm_core.inside.switches import Head, heads_of, hold_dimension, loss_on, switch_off
from mlm_core.prediction.masked_words import hide, labels_of, predict
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import LINES, small_model

HEAD_SIZE = 7  # 14 dimensions, two heads


@pytest.fixture(scope="module")
def text(model):
    return tokenize(model.tokenizer, LINES[0])


@pytest.fixture(scope="module")
def texts(model):
    return [tokenize(model.tokenizer, line) for line in LINES]


def test_a_head_that_is_off_adds_nothing_to_the_attention_output(model, text):
    """By the recorded steps: the sum over the heads that are left, and the bias."""
    attention = model.bert.blocks[0].attention
    steps = model.encode(text, record=True).attention[0]
    weight = attention.output.weight
    left = steps.output[0, 1] @ weight[:, HEAD_SIZE:].T + attention.output.bias
    block = switch_off(model, [Head(1, 1)]).bert.blocks[0]
    attended, _ = block.attention(model.encode(text).states[0], None, False)
    assert torch.allclose(attended[0], left, atol=1e-5)


def test_heads_that_are_off_equal_a_model_whose_weights_are_zero(model, text):
    zeroed = copy.deepcopy(model.bert)
    zeroed.blocks[0].attention.output.weight.data[:, HEAD_SIZE:] = 0
    zeroed.blocks[1].attention.output.weight.data[:, :] = 0
    expected = OwnModel("zeroed", zeroed, model.tokenizer).vocabulary_logits(text)
    off = switch_off(model, [Head(1, 2), Head(2, 1), Head(2, 2)])
    assert torch.equal(off.vocabulary_logits(text), expected)
    assert not torch.allclose(expected, model.vocabulary_logits(text), atol=1e-3)


def test_a_layer_that_is_off_passes_its_input_on(model, text):
    states = model.encode(text).states
    assert torch.equal(switch_off(model, layers=[2]).encode(text).last, states[1])
    assert torch.equal(switch_off(model, layers=[1, 2]).encode(text).last, states[0])
    only_second, _ = model.bert.blocks[1](states[0], None)
    assert torch.allclose(switch_off(model, layers=[1]).encode(text).last, only_second, atol=1e-6)


def test_a_dimension_that_is_held_has_one_value_in_all_tokens_of_its_layer(model, text):
    """By hand: the state of the layer is changed, and the layer behind it reads that."""
    states = [state.clone() for state in model.encode(text).states]
    states[1][..., 5] = 2.5
    found = hold_dimension(model, 1, 5, 2.5).encode(text).states
    assert torch.allclose(found[1], states[1], atol=1e-6)
    assert torch.allclose(found[2], model.bert.blocks[1](states[1], None)[0], atol=1e-5)
    assert not torch.allclose(found[2], states[2], atol=1e-3)
    assert torch.equal(model.encode(text).last, states[2]), "the model itself is as before"


@pytest.mark.parametrize(("layer", "dimension"), [(0, 5), (3, 5), (1, -1), (2, 14)])
def test_a_dimension_that_is_not_there_is_refused(model, layer, dimension):
    with pytest.raises(ValueError, match="layers 1 to 2 and dimensions 0 to 13"):
        hold_dimension(model, layer, dimension, 0.0)


def test_what_is_left_is_counted_anew_and_can_be_switched_off_in_its_turn(model, text):
    second = switch_off(model, layers=[1])
    assert (second.n_layers, model.n_layers) == (1, 2)
    at_once = switch_off(model, [Head(2, 1)], [1]).vocabulary_logits(text)
    assert torch.equal(switch_off(second, [Head(1, 1)]).vocabulary_logits(text), at_once)
    with pytest.raises(ValueError, match="1 layers of 2 heads"):
        switch_off(second, [Head(2, 1)])


def test_the_shared_model_stays_as_it_is_and_undoing_is_exact(model, text):
    before, logits = copy.deepcopy(model.bert.state_dict()), model.vocabulary_logits(text)
    off = switch_off(model, [Head(1, 1)], [2])
    off.vocabulary_logits(text)
    assert all(torch.equal(weights, before[name]) for name, weights in _state(model))
    assert torch.equal(model.vocabulary_logits(text), logits)
    assert torch.equal(switch_off(model).vocabulary_logits(text), logits)


def _state(model: OwnModel):
    return model.bert.state_dict().items()


def test_what_is_switched_has_no_weights_of_its_own(model):
    shared = {weights.data_ptr() for _, weights in _state(model)}
    off = switch_off(model, [Head(2, 1)], [1])
    assert {weights.data_ptr() for _, weights in _state(off)} <= shared


def test_the_loss_is_that_of_each_sentence_read_alone(model, texts):
    losses = []
    for text in texts:
        positions = range(4, len(text.tokens) - 1, 5)  # [CLS] is before the first token
        seen = hide(text, positions, model.tokenizer)
        losses += predict(model, seen, labels_of(text.ids, positions)).losses.tolist()
    assert len(losses) >= 3
    assert loss_on(model, texts) == pytest.approx(sum(losses) / len(losses), abs=1e-5)


def test_heads_are_counted_layer_by_layer_from_one(model):
    assert heads_of(model) == (Head(1, 1), Head(1, 2), Head(2, 1), Head(2, 2))


@pytest.mark.parametrize(
    ("heads", "layers", "error"),
    [
        ([Head(3, 1)], [], r"layer=3.*2 layers of 2 heads"),
        ([Head(1, 0)], [], "head=0"),
        ([], [3], "^3: this model"),
        ([], [0], "^0: this model"),
    ],
)
def test_a_head_or_layer_that_is_not_there_is_refused(model, heads, layers, error):
    with pytest.raises(ValueError, match=error):
        switch_off(model, heads, layers)


def test_heads_and_layers_that_are_not_found_are_refused(model):
    renamed = copy.copy(model)
    renamed.head_projection, renamed.n_layers = "", 24
    with pytest.raises(UnknownHeadsError, match="keeps its heads in an unknown place"):
        switch_off(renamed, [Head(1, 1)])
    with pytest.raises(UnknownLayersError, match="keeps its layers in an unknown place"):
        switch_off(renamed, layers=[1])


def test_no_loss_without_a_masked_token_or_without_a_head(model, texts):
    with pytest.raises(ValueError, match="no sentence has a fourth token"):
        loss_on(model, [tokenize(model.tokenizer, "a dog")])
    headless = copy.copy(model)
    headless.has_language_head = False
    with pytest.raises(MissingHeadError):
        loss_on(headless, texts)


def test_the_random_model_is_near_a_uniform_guess(texts):
    """Weights near zero give each entry the same logit."""
    flat = small_model(initializer_range=1e-4)
    assert loss_on(flat, texts) == pytest.approx(math.log(flat.tokenizer.get_vocab_size()), abs=0.1)
