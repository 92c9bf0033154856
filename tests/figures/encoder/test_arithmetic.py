"""The arithmetic of one cell, as LaTeX."""

import math

import pytest
import torch

from mlm_core.encoder.attention import attend, causal_mask
from mlm_core.figures.encoder.arithmetic import cell_arithmetic

WORDS = {"undivided": "not divided", "blocked": "blocked"}


def written(steps, stage, row, column):
    """Return the line for a cell with English words."""
    return cell_arithmetic(steps, stage, row, column, **WORDS)


@pytest.fixture
def steps():
    query = torch.tensor([[1.0, 0.0], [0.5, 2.0], [-1.0, 1.0]])
    key = torch.tensor([[1.0, 1.0], [0.0, 3.0], [2.0, 2.0]])
    value = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]])
    return attend(query, key, value, causal_mask(3))


def test_a_score_is_the_sum_of_its_products(steps):
    # 0.5 * 0 + 2 * 3 = 6
    assert written(steps, "scores", 1, 1) == (
        r"q_{1} \cdot k_{1} = (0.500)(0) + (2.00)(3.00) = 6.00"
    )


def test_a_score_is_divided_by_the_root_of_the_head_size(steps):
    # 6 / sqrt(2) = 4.2426
    assert written(steps, "scaled_scores", 1, 1) == r"\frac{6.00}{\sqrt{2}} = 4.24"


def test_a_blocked_score_becomes_minus_infinity(steps):
    line = written(steps, "masked_scores", 0, 2)
    assert "blocked" in line and line.endswith(r"-\infty")
    assert "blocked" not in written(steps, "masked_scores", 2, 0)


def test_a_weight_names_the_exponentials_of_its_whole_row(steps):
    # Row 1: scores (0.5 + 2, 6) / sqrt 2 = 1.7678, 4.2426; e^4.2426 / (e^1.7678 + e^4.2426)
    weight = math.exp(4.2426) / (math.exp(1.7678) + math.exp(4.2426))
    line = written(steps, "weights", 1, 1)
    assert line.startswith(r"\frac{e^{4.24}}{e^{1.77} + e^{4.24} + e^{-\infty}}")
    assert line.endswith(f"= {weight:.3f}")


def test_an_output_number_is_the_weighted_sum_of_a_column_of_values(steps):
    line = written(steps, "output", 0, 0)
    assert line == r"o_{0,0} = (1.00)(1.00) + (0)(0) + (0)(4.00) = 1.00"


def test_a_long_sum_says_how_many_terms_it_leaves_out():
    torch.manual_seed(3)
    wide = torch.randn(2, 9)
    line = written(attend(wide, wide, wide), "scores", 0, 1)
    assert r"\underbrace{\cdots}_{5}" in line
    assert line.count(")(") == 4


def test_an_undivided_score_says_so():
    words = torch.eye(3)
    line = written(attend(words, words, words, divide_by_root=False), "scaled_scores", 1, 1)
    assert line.endswith(r"\text{(not divided)}")
