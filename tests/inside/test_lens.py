"""The logit lens: the answer, each row's likeliest, each rank a count.

tests/reference/test_inside.py: each row is the head on its layer's state.
"""

import pytest

from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.inside.lens import lens
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model

TEXT = "the old [MASK] saw a dog"


def test_each_row_says_what_its_logits_say_and_the_last_has_the_answer():
    model = small_model()
    read = lens(model, tokenize(model.tokenizer, TEXT), n=5)
    assert len(read.rows) == model.n_layers + 1
    assert read.answer.id == int(read.logits[-1].argmax()) and read.ranks[-1] == 1
    for row, logits in zip(read.rows, read.logits, strict=True):
        order = logits.argsort(descending=True).tolist()
        assert [filler.id for filler in row.top] == order[:5]
        assert row.rank == order.index(read.answer.id) + 1
        assert row.followed.probability == pytest.approx(logits.softmax(-1)[read.answer.id].item())


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
