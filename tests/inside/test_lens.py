"""The logit lens: its last row is the prediction, each row the head's, each rank a count."""

import pytest
import torch

from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.encoder.pretrained import load
from mlm_core.inside.lens import lens
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model

TEXT = "the old [MASK] saw a dog"


def test_the_last_row_is_the_prediction_to_the_last_bit():
    for model in (small_model(), load()):
        text = tokenize(model.tokenizer, TEXT)
        read = lens(model, text)
        predicted = model.vocabulary_logits(text)[read.position]
        assert torch.equal(read.logits[-1], predicted)
        assert read.answer.id == int(predicted.argmax()) and read.ranks[-1] == 1


def test_each_row_is_the_head_on_that_layers_state():
    model = small_model()
    text = tokenize(model.tokenizer, TEXT)
    read = lens(model, text, n=5)
    assert len(read.rows) == model.n_layers + 1
    states = model.encode(text).states
    for state, row, logits in zip(states, read.rows, read.logits, strict=True):
        head = model.bert.masked_language_head
        by_hand = head.norm(torch.nn.functional.gelu(head.transform(state[0, 3])))
        by_hand = by_hand @ model.token_embedding.T + head.bias
        torch.testing.assert_close(logits, by_hand)
        order = by_hand.argsort(descending=True).tolist()
        assert [filler.id for filler in row.top] == order[:5]
        assert row.rank == order.index(read.answer.id) + 1
        assert row.followed.probability == pytest.approx(by_hand.softmax(-1)[read.answer.id].item())


def test_another_token_can_be_followed():
    model = small_model()
    read = lens(model, tokenize(model.tokenizer, TEXT), followed=11)
    assert {row.followed.id for row in read.rows} == {11}
    assert read.ranks == tuple(1 + int((row > row[11]).sum()) for row in read.logits)


@pytest.mark.parametrize("text", ["the old cat", "the [MASK] saw a [MASK]"])
def test_a_text_has_one_blank(text: str):
    model = small_model()
    with pytest.raises(ValueError, match=r"\d blanks: write \[MASK\] exactly once"):
        lens(model, tokenize(model.tokenizer, text))


def test_a_model_without_its_head_says_so():
    model = small_model()
    model.has_language_head = False
    text = tokenize(model.tokenizer, TEXT)
    states = model.encode(text).states[-1][0]
    with pytest.raises(MissingHeadError):
        model.logits_of_states(states)
    with pytest.raises(MissingHeadError):
        model.logits_of_vectors(states[None], text, 3)
