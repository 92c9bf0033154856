"""The distribution over the vocabulary at one position."""

import math

import pytest
import torch

from mlm_core.pretraining.fillers import top_fillers


def test_the_likeliest_come_first_with_softmax_probabilities():
    # softmax of (0, 1, 0): e / (2 + e) = 0.5761
    best, *rest = top_fillers(torch.tensor([0.0, 1.0, 0.0]), 3)
    assert best.id == 1
    assert best.probability == pytest.approx(math.e / (2 + math.e))
    assert sum(filler.probability for filler in (best, *rest)) == pytest.approx(1.0)


def test_no_more_fillers_than_the_vocabulary_has():
    assert len(top_fillers(torch.zeros(3), 10)) == 3
