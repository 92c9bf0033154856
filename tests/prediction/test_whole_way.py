"""The whole way of one token: its parts add up, and it ends in the model's own prediction."""

import pytest
import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.prediction.masked_words import hide
from mlm_core.prediction.whole_way import SUMMANDS, whole_way
from mlm_core.text.tokens import TokenizedText, tokenize
from tests.prediction.small_models import small_model

POSITION = 4
# float32: some dozens of sums of numbers of size 10, each with an error of 6e-8 of it.
TOLERANCE = {"atol": 1e-4, "rtol": 0}


@pytest.fixture
def seen(model: OwnModel) -> TokenizedText:
    text = tokenize(model.tokenizer, "the old man saw a dog")
    return hide(text, [POSITION], model.tokenizer)


def test_the_parts_add_up_to_each_state(model: OwnModel, seen: TokenizedText):
    way, bert = whole_way(model, seen, POSITION), model.bert
    assert tuple(way.summands) == SUMMANDS and len(way.states) == model.n_layers + 1
    embedded = bert.embeddings.norm(sum(way.summands.values()))
    torch.testing.assert_close(embedded, way.states[0], **TOLERANCE)
    for block, before, added, after in zip(
        bert.blocks, way.states, way.added, way.states[1:], strict=False
    ):
        between = block.attention_norm(before + added["attention"])
        made = block.feed_forward_norm(between + added["feed_forward"])
        torch.testing.assert_close(made, after, **TOLERANCE)


def test_each_head_gives_all_tokens_weights_that_sum_to_one(model: OwnModel, seen: TokenizedText):
    way, recorded = whole_way(model, seen, POSITION), model.encode(seen, record=True)
    for weights, all_weights in zip(way.weights, recorded.weights, strict=True):
        assert weights.shape == (model.n_heads, len(seen.tokens))
        torch.testing.assert_close(weights.sum(dim=-1), torch.ones(model.n_heads))
        torch.testing.assert_close(weights, all_weights[0, :, POSITION], **TOLERANCE)


def test_the_way_ends_in_the_prediction_to_the_bit(model: OwnModel, seen: TokenizedText):
    way = whole_way(model, seen, POSITION)
    assert torch.equal(way.logits, model.vocabulary_logits(seen)[POSITION])
    assert torch.equal(way.states[-1], model.encode(seen).last[0, POSITION])
    read = model.bert.masked_language_logits(way.states[-1])
    torch.testing.assert_close(way.logits, read, **TOLERANCE)
    assert way.probabilities.sum().item() == pytest.approx(1)


def test_a_kept_way_keeps_no_more_than_one_position(model: OwnModel, seen: TokenizedText):
    way = whole_way(model, seen, POSITION)
    added = [tensor for layer in way.added for tensor in layer.values()]
    for tensor in (*way.summands.values(), *way.states, *way.weights, *added, way.logits):
        assert tensor.untyped_storage().nbytes() == tensor.nbytes


@pytest.mark.parametrize("position", [-1, 8])
def test_a_text_without_that_position_is_refused(
    model: OwnModel, seen: TokenizedText, position: int
):
    with pytest.raises(ValueError, match=f"position {position} in a text of 8 tokens"):
        whole_way(model, seen, position)


def test_a_model_without_a_head_has_no_way_to_a_prediction(seen: TokenizedText):
    headless = small_model()
    headless.has_language_head = False
    with pytest.raises(MissingHeadError):
        whole_way(headless, seen, POSITION)
