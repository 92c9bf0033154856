"""Minus infinity and large negative numbers, in three number types and two ways."""

import pytest
import torch
from torch.nn import functional

from mlm_core.encoder.attention import NEGATIVE_INFINITY, attend
from mlm_core.encoder.precision import masked_weights, outcome

SCORES = torch.tensor([2.0, 1.0, -1.0])
PARTLY = torch.tensor([True, True, False])
NOTHING = torch.tensor([False, False, False])
# e^2, e^1, e^-1 over their sum 10.4752.
UNMASKED = torch.tensor([0.7054, 0.2595, 0.0351])


def outcome_of(scores, mask, *masked) -> str:
    return outcome(masked_weights(scores, mask, *masked), scores, mask)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_minus_infinity_is_clean_in_every_type(dtype: torch.dtype):
    weights = masked_weights(SCORES, PARTLY, NEGATIVE_INFINITY, "write", dtype)
    assert weights is not None
    # e / (e^2 + e) = 0.2689; bfloat16 has 8 significant bits, so steps of 2^-8 below 1.
    by_hand = torch.tensor([0.7311, 0.2689, 0.0])
    torch.testing.assert_close(weights.float(), by_hand, atol=2**-8, rtol=0)
    for way in ("write", "add"):
        assert outcome_of(SCORES, PARTLY, NEGATIVE_INFINITY, way, dtype) == "clean"
        assert outcome_of(SCORES, NOTHING, NEGATIVE_INFINITY, way, dtype) == "nan"


@pytest.mark.parametrize("mask", [PARTLY, NOTHING])
def test_float16_refuses_what_it_cannot_hold_and_a_cast_makes_it_minus_infinity(mask):
    assert outcome_of(SCORES, mask, -1e9, "write") == "refused"
    for way in ("write", "add"):
        assert outcome_of(SCORES, mask, -1e9, way, torch.bfloat16) != "refused"
    assert outcome_of(SCORES, PARTLY, -1e9, "add") == "clean"
    assert outcome_of(SCORES, NOTHING, -1e9, "add") == "nan"


def test_a_row_with_everything_masked_by_hand():
    assert outcome_of(SCORES, NOTHING, -1e9, "write", torch.float32) == "equal"
    # Around 1e9 float32 has steps of 64, so the scores 2, 1, -1 vanish in them.
    assert outcome_of(SCORES, NOTHING, -1e9, "add", torch.float32) == "equal"
    # Around 65504 float16 has steps of 32.
    assert outcome_of(SCORES, NOTHING, -65504.0, "add") == "equal"
    # Around 1e4 the steps of float32 are 0.001: the same number on all scores changes nothing.
    assert outcome_of(SCORES, NOTHING, -1e4, "add", torch.float32) == "unmasked"
    weights = masked_weights(SCORES, NOTHING, -1e4, "add", torch.float32)
    # An error of half a step in a score moves a weight by less than that.
    torch.testing.assert_close(weights, UNMASKED, atol=1e-3, rtol=0)


def test_coarse_steps_bring_the_old_scores_back_distorted():
    # Around 1e4 float16 has steps of 8: a score of 6 becomes 8, the others 0.
    scores = torch.tensor([6.0, 1.0, 0.0, 5.0])
    assert outcome_of(scores, torch.tensor([False] * 4), -1e4, "add") == "distorted"


def test_a_number_that_is_not_low_enough_leaks():
    assert outcome_of(SCORES, PARTLY, -5.0, "add", torch.float32) == "leaks"


def test_attend_and_torchs_attention_give_zeros_where_softmax_alone_gives_nan():
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(1, 5, generator=generator), torch.randn(7, 5, generator=generator)
    nothing, value = torch.zeros(1, 7, dtype=torch.bool), torch.eye(7)
    assert torch.softmax(torch.full((7,), NEGATIVE_INFINITY), dim=-1).isnan().all()
    assert attend(query, key, value, nothing).output.tolist() == [[0.0] * 7]
    torchs = functional.scaled_dot_product_attention(
        query[None], key[None], value[None], attn_mask=nothing
    )
    assert torchs.tolist() == [[[0.0] * 7]]
