"""Heads: worked by hand, blind to padding, and with numbers from no chance but their own."""

import math

import pytest
import torch

from mlm_core.finetuning.heads import POOLINGS, ClassHead, TokenHead, start_head
from tests.finetuning.small_models import small_encoder

STATES = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]]])
TWO_REAL = torch.tensor([[True, True, False]])


@torch.no_grad()
def filled(head, **weights):
    """Give a head these matrices, and biases of 0.5."""
    for name, parameter in head.named_parameters():
        value = weights[name.partition(".")[0]] if parameter.ndim > 1 else 0.5
        parameter.copy_(torch.as_tensor(value).expand_as(parameter))
    return head


def test_the_mean_of_the_real_tokens_by_hand():
    head = filled(ClassHead(2, 2, "mean"), classifier=[[1.0, 0.0], [1.0, -1.0]])
    assert head.pool(STATES, TWO_REAL).tolist() == [[2.0, 3.0]]
    assert head(STATES, TWO_REAL).tolist() == [[2.5, -0.5]]


def test_cls_through_the_pooler_by_hand():
    pooler, classifier = [[0.5, 0.0], [0.0, -1.0]], [[1.0, 0.0], [1.0, 1.0]]
    head = filled(ClassHead(2, 2, "cls"), pooler=pooler, classifier=classifier)
    first, second = math.tanh(0.5 * 1 + 0.5), math.tanh(-1 * 2 + 0.5)
    expected = [first + 0.5, first + second + 0.5]
    assert head(STATES, TWO_REAL)[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_every_token_for_itself_by_hand():
    head = filled(TokenHead(2, 1), classifier=[[1.0, 1.0]])
    assert head(STATES, TWO_REAL).flatten().tolist() == [3.5, 7.5, 14.5]


@pytest.mark.parametrize("pooling", POOLINGS)
def test_padding_changes_nothing(pooling):
    head = ClassHead(24, 3, pooling)
    start_head(head, small_encoder().bert, torch.Generator().manual_seed(1))
    states = torch.randn(2, 5, 24, generator=torch.Generator().manual_seed(2))
    not_padding = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    alone = head(states[1:, :3], not_padding[1:, :3])
    torch.testing.assert_close(head(states, not_padding)[1:], alone)
    other = torch.where(not_padding.unsqueeze(-1), states, torch.full((), 7.0))
    assert torch.equal(head(other, not_padding), head(states, not_padding))


@pytest.mark.parametrize("pooling", [*POOLINGS, None])
def test_a_heads_start_depends_on_its_generator_alone(pooling):
    bert = small_encoder().bert

    def numbers():
        head = TokenHead(24, 3) if pooling is None else ClassHead(24, 3, pooling)
        start_head(head, bert, torch.Generator().manual_seed(5))
        return torch.cat([parameter.flatten() for parameter in head.parameters()])

    before = torch.get_rng_state()
    first = numbers()
    assert torch.equal(torch.get_rng_state(), before)  # and takes nothing from the process's own
    torch.rand(7)
    assert torch.equal(numbers(), first)


def test_the_pooler_starts_from_next_sentence_prediction_where_there_was_any():
    bert = small_encoder().bert
    head = ClassHead(24, 3, "cls")
    start_head(head, bert, torch.Generator().manual_seed(5))
    assert torch.equal(head.pooler.weight, bert.next_sentence_head.pooler.weight)
    assert head.pooler.weight is not bert.next_sentence_head.pooler.weight
    without = small_encoder(with_next_sentence_head=False).bert
    start_head(head, without, torch.Generator().manual_seed(5))
    # 576 draws: the standard deviation of their standard deviation is 0.02 / sqrt(2 * 576),
    # three per cent, and five times that is allowed.
    assert head.pooler.weight.std().item() == pytest.approx(0.02, rel=0.15)
    assert not head.classifier.bias.any() and not head.pooler.bias.any()
