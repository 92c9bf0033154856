"""Counting attention's work against what torch really multiplies, and the bounded clock."""

import itertools

import pytest
import torch

from mlm_core.encoder.attention import AttentionSteps, causal_mask
from mlm_core.encoder.bert import BertConfig, EncoderBlock
from mlm_core.encoder.cost import (
    attention_cost,
    crossing,
    measure_attention,
    scores_to_write,
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


def measure(sizes: tuple[int, ...], tick: float, **options: float) -> list:
    """Run the measurement with a clock that moves on by `tick` whenever it is read."""
    ticks = itertools.count()
    return list(
        measure_attention(
            sizes,
            head_size=3,
            generator=torch.Generator().manual_seed(1),
            clock=lambda: tick * next(ticks),
            **options,
        )
    )


def test_a_measurement_is_the_median_of_its_repetitions():
    measured = measure((4, 5), tick=0.5, seconds_at_most=0.0)
    # The clock is read before and after each repetition: half a second each.
    assert [(m.n_tokens, m.seconds, m.n_repetitions) for m in measured] == [
        (4, 0.5, 3),
        (5, 0.5, 3),
    ]


def test_a_fast_clock_stops_at_the_largest_number_of_repetitions():
    assert measure((4,), tick=1e-9)[0].n_repetitions == 200


def test_the_seconds_are_shared_among_the_sizes():
    # 2 s in all, 1 s for each of two sizes; a repetition takes two ticks of 0.01 s.
    measured = measure((4, 5), tick=0.01, seconds_at_most=2.0)
    assert all(45 <= m.n_repetitions <= 50 for m in measured)


def test_one_measurement_comes_at_a_time():
    running = measure_attention((3, 4), head_size=3, generator=torch.Generator(), seconds_at_most=0)
    assert next(running).n_tokens == 3
    assert next(running).n_tokens == 4
    assert next(running, None) is None


def test_a_size_beyond_the_bound_is_refused_before_anything_runs():
    with pytest.raises(ValueError, match="4096 tokens can't be timed here: choose 1 to 2048"):
        next(measure_attention((8, 4096), head_size=3, generator=torch.Generator()))
