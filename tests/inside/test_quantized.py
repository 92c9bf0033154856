"""Quantized weights: by hand, within half a scale, counted in bytes, and without a trace."""

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.inside.quantized import (
    BITS,
    FULL_BITS,
    matrix_bytes,
    model_bytes,
    quantize,
    quantize_matrix,
)
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import LINES


def test_a_matrix_worked_by_hand():
    # 3 bits: -3 to 3; the scales are 6/3 and 0.3/3.
    quantized = quantize_matrix(torch.tensor([[6.0, -2.9, 0.9], [0.0, 0.16, -0.3]]), 3)
    assert quantized.levels.tolist() == [[3, -1, 0], [0, 2, -3]]
    assert quantized.scales.tolist() == pytest.approx([2.0, 0.1])
    assert quantized.weights.flatten().tolist() == pytest.approx([6, -2, 0, 0, 0.2, -0.3])


def test_two_bits_leave_three_numbers_a_row():
    weights = torch.linspace(-1, 2, 35).reshape(5, 7)
    levels = quantize_matrix(weights, 2).levels
    assert set(levels.flatten().tolist()) == {-1, 0, 1}


@settings(max_examples=30)
@given(
    bits=st.sampled_from(BITS),
    seed=st.integers(0, 10_000),
    size=st.sampled_from([1e-6, 1.0, 1e4]),
)
def test_a_weight_moves_by_half_a_scale_and_the_largest_of_a_row_stays(bits, seed, size):
    weights = size * torch.randn(3, 11, generator=torch.Generator().manual_seed(seed))
    quantized = quantize_matrix(weights, bits)
    moved = (quantized.weights - weights).abs()
    # Division and product are rounded in float32.
    assert (moved <= quantized.scales[:, None] * 0.5001).all()
    largest = quantized.weights.abs().amax(dim=1)
    assert torch.allclose(largest, weights.abs().amax(dim=1), rtol=1e-5)
    assert quantized.levels.abs().max() == 2 ** (bits - 1) - 1
    assert torch.equal(quantize_matrix(-weights, bits).levels, -quantized.levels)


def test_a_row_of_zeros_stays_one():
    assert quantize_matrix(torch.zeros(2, 3), 4).weights.tolist() == [[0] * 3] * 2


def test_the_bytes_are_counted(model):
    # 14 columns of 3 bits are 42 a row; two rows 84 bits, and a scale for each.
    assert matrix_bytes(2, 14, 3) == 11 + 8
    assert quantize_matrix(torch.zeros(2, 14), 3).n_bytes == 19
    expected = {FULL_BITS: 0, 8: 0}
    for _, weights in model.bert.named_parameters():  # tied weights come once
        expected[FULL_BITS] += 4 * weights.numel()
        rows = weights.shape[0]
        expected[8] += weights.numel() + 4 * rows if weights.ndim == 2 else 4 * weights.numel()
    for bits, n_bytes in expected.items():
        assert model_bytes(model, bits) == n_bytes
    sizes = [model_bytes(model, bits) for bits in (FULL_BITS, *BITS)]
    assert sizes == sorted(sizes, reverse=True)


def test_all_matrices_of_a_model_are_quantized_and_nothing_else(model):
    before = copy.deepcopy(model.bert.state_dict())
    quantized = quantize(model, 4).bert.state_dict()
    assert quantized.keys() == before.keys()
    for name, weights in quantized.items():
        expected = before[name]
        if expected.ndim == 2:
            expected = quantize_matrix(expected, 4).weights
            assert not torch.equal(weights, before[name]), name
        assert torch.equal(weights, expected), name
        assert torch.equal(model.bert.state_dict()[name], before[name]), name


def test_fewer_bits_move_the_logits_further_and_32_not_at_all(model):
    text = tokenize(model.tokenizer, LINES[0])
    logits = model.vocabulary_logits(text)
    moved = [
        (quantize(model, bits).vocabulary_logits(text) - logits).abs().mean().item()
        for bits in (FULL_BITS, *BITS)
    ]
    assert moved[0] == 0
    assert moved == sorted(moved)


@pytest.mark.parametrize("bits", [1, 9, 0, -4])
def test_other_numbers_of_bits_are_refused(model, bits):
    with pytest.raises(ValueError, match="choose 2 to 8"):
        quantize(model, bits)
