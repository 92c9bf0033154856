"""The next-sentence head step by step; tests/reference/test_next_sentence.py has transformers'."""

import math

import pytest
import torch

from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.prediction.next_sentence import next_sentence_steps


def small_bert(**changes):
    torch.manual_seed(0)
    sizes = {"vocabulary_size": 11, "hidden_size": 6, "n_layers": 1, "n_heads": 2}
    sizes |= {"intermediate_size": 5, "n_positions": 9, "initializer_range": 0.7}
    return Bert(BertConfig(**sizes | changes)).eval()


def test_worked_by_hand():
    bert = small_bert(hidden_size=2, n_heads=1)
    head = bert.next_sentence_head
    with torch.no_grad():
        head.pooler.weight.copy_(torch.eye(2))
        head.pooler.bias.zero_()
        head.classifier.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
        head.classifier.bias.copy_(torch.tensor([0.0, 1.0]))
    steps = next_sentence_steps(bert, torch.tensor([[1.0, 0.0], [5.0, 5.0]]))
    # tanh(1) = 0.761594; logits 0.761594 and 1; P = 1 / (1 + e^0.238406) = 0.440679
    assert steps.logits.tolist() == pytest.approx([0.761594, 1.0], abs=1e-6)
    assert steps.p_follows == pytest.approx(0.440679, abs=1e-6)
    assert steps.loss(0) == pytest.approx(-math.log(0.440679), abs=1e-5)
    assert steps.loss(1) == pytest.approx(-math.log(0.559321), abs=1e-5)


def test_a_probability_that_rounds_to_zero_has_a_finite_loss():
    bert = small_bert()
    with torch.no_grad():
        bert.next_sentence_head.classifier.weight.zero_()
        bert.next_sentence_head.classifier.bias.copy_(torch.tensor([-200.0, 200.0]))
    steps = next_sentence_steps(bert, torch.zeros(3, 6))
    assert steps.p_follows == 0
    assert steps.loss(0) == pytest.approx(400)


def test_a_model_without_the_head_says_so():
    with pytest.raises(ValueError, match="no next-sentence head: choose one"):
        next_sentence_steps(small_bert(has_next_sentence_head=False), torch.zeros(3, 6))


def test_another_label_is_refused():
    steps = next_sentence_steps(small_bert(), torch.zeros(3, 6))
    with pytest.raises(ValueError, match="label 2"):
        steps.loss(2)
