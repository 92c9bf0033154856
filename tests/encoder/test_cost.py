"""Counting attention's work against what torch really multiplies."""

import pytest
import torch

from mlm_core.encoder.attention import AttentionSteps, causal_mask
from mlm_core.encoder.bert import BertConfig, EncoderBlock
from mlm_core.encoder.cost import (
    attention_cost,
    crossing,
    fine_tuning_bytes,
    operations,
    scores_to_write,
    weight_bytes,
)

CONFIG = BertConfig(hidden_size=6, n_heads=3, intermediate_size=10, n_layers=2, n_positions=16)


def test_scores_are_as_many_as_the_recorded_ones():
    block = EncoderBlock(CONFIG).eval()
    steps: AttentionSteps = block(torch.zeros(1, 5, 6), None, record=True)[1]
    cost = attention_cost(5, CONFIG)
    assert cost.scores_per_head == steps.scores[0, 0].numel() == 25
    assert cost.scores_per_layer == steps.scores.numel()
    assert cost.scores_per_model == 2 * steps.scores.numel()
    assert cost.weights_bytes == steps.weights.numel() * steps.weights.element_size()


def test_keeping_earlier_keys_costs_as_many_scores_as_one_causal_pass_over_the_whole_text():
    assert scores_to_write(7, keeps_earlier=True) == int(causal_mask(7).sum()) == 28
    per_step = [attention_cost(n, CONFIG).scores_per_head for n in range(1, 8)]
    assert scores_to_write(7, keeps_earlier=False) == sum(per_step) == 140


def test_multiply_adds_are_half_the_operations_that_torch_counts():
    from torch.utils.flop_counter import FlopCounterMode

    block = EncoderBlock(CONFIG).eval()
    with FlopCounterMode(display=False) as counter, torch.inference_mode():
        block(torch.zeros(1, 5, 6), None, record=True)
    cost = attention_cost(5, CONFIG)
    # torch counts a multiplication and an addition as two.
    assert 2 * (cost.quadratic_products + cost.linear_products) == counter.get_total_flops()


def test_parameter_bytes_are_those_of_a_real_block():
    real = sum(4 * parameter.numel() for parameter in EncoderBlock(CONFIG).parameters())
    assert attention_cost(5, CONFIG).parameter_bytes == real


def test_both_kinds_of_work_are_equal_at_the_crossing():
    cost = attention_cost(crossing(CONFIG), CONFIG)
    assert cost.quadratic_products == cost.linear_products


def test_twice_the_text_makes_four_times_the_scores_and_twice_the_rest():
    once, twice = attention_cost(7, CONFIG), attention_cost(14, CONFIG)
    assert twice.scores_per_model == 4 * once.scores_per_model
    assert twice.quadratic_products == 4 * once.quadratic_products
    assert twice.linear_products == 2 * once.linear_products


def test_no_token_is_refused():
    with pytest.raises(ValueError, match="a text has at least one"):
        attention_cost(0, CONFIG)


def test_memory_and_operations_are_those_of_a_real_block():
    block = EncoderBlock(CONFIG)
    numbers = list(block.parameters())
    n = sum(one.numel() for one in numbers)
    assert weight_bytes(n, 32) == sum(one.numel() * one.element_size() for one in numbers)
    assert weight_bytes(n, 16) == sum(one.nbytes for one in block.half().parameters())
    assert weight_bytes(n, 4) == weight_bytes(n, 32) / 8
    # By the terms of a layer: 2 operations for each product that grows with N, and the biases.
    biases = n - (4 * 6 * 6 + 2 * 6 * 10)
    assert operations(n - biases, 5) == 2 * attention_cost(5, CONFIG).linear_products


def test_fine_tuning_holds_as_much_as_torchs_adamw_holds():
    block = EncoderBlock(CONFIG)
    optimizer = torch.optim.AdamW(block.parameters())
    block(torch.zeros(1, 5, 6), None)[0].sum().backward()
    optimizer.step()
    held = sum(
        one.nbytes + one.grad.nbytes + state["exp_avg"].nbytes + state["exp_avg_sq"].nbytes
        for one, state in optimizer.state.items()
    )
    assert fine_tuning_bytes(sum(one.numel() for one in block.parameters())) == held
