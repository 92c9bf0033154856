"""The contrastive loss: worked by hand, and as torch's cross-entropy."""

import math

import pytest
import torch
from torch.nn import functional as F

from mlm_core.search.info_nce import info_nce


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def test_the_loss_is_that_worked_by_hand():
    # Cosines: the first sentence has 1 with its partner and 0 with the other; the second has
    # 0.8 with its partner and 0.6 with the other.
    firsts = torch.tensor([[2.0, 0.0], [0.6, 0.8]])
    candidates = torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    found = info_nce(firsts, candidates, torch.tensor([0, 1]), temperature=0.2)
    torch.testing.assert_close(found.cosines, torch.tensor([[1.0, 0.0], [0.6, 0.8]]))
    expected = [math.log(1 + math.exp(-1 / 0.2)), math.log(1 + math.exp((0.6 - 0.8) / 0.2))]
    assert found.losses.tolist() == pytest.approx(expected, abs=1e-6)
    assert found.loss.item() == pytest.approx(sum(expected) / 2)


def test_loss_and_gradient_are_those_of_cross_entropy():
    ours, theirs = drawn(3, 7).requires_grad_(), drawn(3, 7).requires_grad_()
    candidates, partners = drawn(5, 7), torch.tensor([4, 0, 0])
    found = info_nce(ours, candidates, partners, 0.05)
    by_cosine = F.cosine_similarity(theirs.unsqueeze(1), candidates.unsqueeze(0), dim=-1)
    expected = F.cross_entropy(by_cosine / 0.05, partners)
    torch.testing.assert_close(found.loss, expected)
    found.loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, theirs.grad)
    torch.testing.assert_close(found.log_probabilities.exp().sum(dim=1), torch.ones(3))


def test_equal_candidates_have_the_loss_of_chance():
    found = info_nce(drawn(2, 7), torch.ones(5, 7), torch.tensor([1, 3]))
    assert found.losses.tolist() == pytest.approx([math.log(5)] * 2, rel=1e-5)
