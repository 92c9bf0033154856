"""Minus infinity and large constants, in three number types and three ways."""

import pytest
import torch
from torch.nn import functional

from mlm_core.encoder.attention import NEGATIVE_INFINITY, attend
from mlm_core.encoder.precision import (
    CONSTANTS,
    NUMBER_TYPES,
    WAYS,
    every_masking,
    mask_scores,
    name_blocked_row,
)

SCORES = torch.tensor([2.0, 1.0, -1.0])
PARTLY = torch.tensor([True, True, False])
NOTHING = torch.tensor([False, False, False])
# e^2, e^1, e^-1 over their sum 10.4752.
UNMASKED = torch.tensor([0.7054, 0.2595, 0.0351])


def outcome(attention_mask: torch.Tensor, number_type: str, constant: float, way: str) -> str:
    return mask_scores(
        SCORES, attention_mask, number_type=number_type, constant=constant, way=way
    ).outcome


@pytest.mark.parametrize("number_type", NUMBER_TYPES)
def test_minus_infinity_written_is_clean_in_every_type(number_type: str):
    trial = mask_scores(
        SCORES, PARTLY, number_type=number_type, constant=NEGATIVE_INFINITY, way="write"
    )
    # e / (e^2 + e) = 0.2689; bfloat16 has 8 significant bits, so steps of 2^-8 below 1.
    torch.testing.assert_close(
        trial.weights.float(), torch.tensor([0.7311, 0.2689, 0.0]), atol=2**-8, rtol=0
    )
    assert trial.outcome == "clean"


@pytest.mark.parametrize("attention_mask", [PARTLY, NOTHING])
def test_float16_refuses_to_be_written_what_it_cannot_hold(attention_mask: torch.Tensor):
    trial = mask_scores(SCORES, attention_mask, number_type="float16", constant=-1e9, way="write")
    assert trial.outcome == "refused"
    assert trial.weights is None and trial.masked_scores is None
    assert "overflow" in trial.refusal


@pytest.mark.parametrize(
    ("number_type", "constant", "stored"),
    [
        ("float32", -1e9, -1e9),
        ("float16", -1e9, NEGATIVE_INFINITY),
        ("float16", -65504.0, -65504.0),
        ("bfloat16", -65504.0, -65536.0),  # 8 significant bits: the nearest is 2^16
        ("bfloat16", -1e4, -9984.0),  # steps of 64 between 8192 and 16384
    ],
)
def test_the_constant_is_told_as_the_type_stores_it(
    number_type: str, constant: float, stored: float
):
    trial = mask_scores(SCORES, PARTLY, number_type=number_type, constant=constant, way="add")
    assert trial.stored_constant == stored


def test_multiplying_by_minus_infinity_spoils_the_row_that_was_to_be_kept():
    for number_type in NUMBER_TYPES:
        assert outcome(PARTLY, number_type, NEGATIVE_INFINITY, "multiply") == "nan"
        assert outcome(PARTLY, number_type, NEGATIVE_INFINITY, "add") == "clean"


def test_a_row_with_everything_masked_by_hand():
    assert outcome(NOTHING, "float32", NEGATIVE_INFINITY, "write") == "nan"
    assert outcome(NOTHING, "float32", -1e9, "write") == "equal"
    # Around 1e9 float32 has steps of 64, so the scores 2, 1, -1 vanish in them.
    assert outcome(NOTHING, "float32", -1e9, "add") == "equal"
    # Around 1e4 the steps are 0.001: the same constant on all scores changes nothing.
    trial = mask_scores(SCORES, NOTHING, number_type="float32", constant=-1e4, way="add")
    assert trial.outcome == "unmasked"
    # An error of half a step in a score moves a weight by less than that.
    torch.testing.assert_close(trial.weights, UNMASKED, atol=1e-3, rtol=0)


def test_coarse_steps_bring_the_old_scores_back_distorted():
    # Around 1e4 float16 has steps of 8: a score of 6 becomes 8, the others 0.
    trial = mask_scores(
        torch.tensor([6.0, 1.0, 0.0]), NOTHING, number_type="float16", constant=-1e4, way="add"
    )
    assert (trial.masked_scores - trial.masked_scores.min()).tolist() == [8.0, 0.0, 0.0]


def test_a_constant_that_is_not_low_enough_leaks():
    trial = mask_scores(SCORES, PARTLY, number_type="float32", constant=-5.0, way="add")
    assert trial.outcome == "leaks"


def test_a_distorted_row_is_told_from_the_others():
    scores = torch.tensor([2.0, 0.0])
    assert name_blocked_row(torch.tensor([0.7, 0.3]), scores) == "distorted"
    assert name_blocked_row(torch.tensor([0.881, 0.119]), scores) == "unmasked"
    assert name_blocked_row(torch.zeros(2), scores) == "zeros"


def test_every_combination_is_tried_once():
    trials = every_masking(SCORES, PARTLY, "float16")
    assert {trial.number_type for trial in trials} == {"float16"}
    combinations = {(trial.constant, trial.way) for trial in trials}
    assert len(combinations) == len(trials) == len(CONSTANTS) * len(WAYS)


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
