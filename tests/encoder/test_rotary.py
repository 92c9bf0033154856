"""Rotary positions: lengths stay, and a score knows the distance only."""

import math

import pytest
import torch

from mlm_core.encoder.rotary import position_cosines, rotary_angles, rotate, score_by_distance

HEAD_SIZE = 6


def vectors(seed: int) -> torch.Tensor:
    return torch.randn(5, HEAD_SIZE, generator=torch.Generator().manual_seed(seed))


def test_a_score_depends_on_the_distance_and_on_no_position():
    query, key = vectors(1), vectors(2)
    scores = [
        rotate(query, rotary_angles(torch.arange(5) + start, HEAD_SIZE))
        @ rotate(key, rotary_angles(torch.arange(5) + start, HEAD_SIZE)).T
        for start in (0, 300)
    ]
    assert torch.allclose(*scores, atol=1e-4)
    # And on the distance it does depend: the same two vectors, farther apart.
    farther = rotate(query, rotary_angles(2 * torch.arange(5), HEAD_SIZE))
    assert not torch.allclose(farther @ query.T, query @ query.T, atol=0.1)


def test_a_turn_keeps_the_length_and_position_zero_changes_nothing():
    query = vectors(1)
    turned = rotate(query, rotary_angles(torch.tensor([0, 1, 7, 50, 900]), HEAD_SIZE))
    assert torch.allclose(turned.norm(dim=-1), query.norm(dim=-1))
    assert torch.equal(turned[0], query[0])


def test_a_turn_by_hand():
    # Dimensions 0 and 2 turn by one radian, 1 and 3 by 1 / 100.
    turned = rotate(torch.tensor([[1.0, 0.0, 0.0, 2.0]]), rotary_angles(torch.tensor([1]), 4))
    by_hand = [math.cos(1), -2 * math.sin(0.01), math.sin(1), 2 * math.cos(0.01)]
    assert torch.allclose(turned, torch.tensor([by_hand]))


def test_the_score_by_distance_is_that_of_two_turned_vectors_of_ones():
    ones, distances = torch.ones(5, HEAD_SIZE), torch.tensor([0, 1, 3, 40, 500])
    turned = rotate(ones, rotary_angles(distances, HEAD_SIZE, 500.0))
    by_rotation = (turned * ones).sum(dim=-1) / HEAD_SIZE
    assert torch.allclose(score_by_distance(distances, HEAD_SIZE, 500.0), by_rotation, atol=1e-5)


def test_the_cosine_of_two_learned_positions_is_the_same_however_many_are_drawn():
    table = vectors(3)
    drawn = position_cosines(table, 5)
    assert torch.allclose(position_cosines(table, 2), drawn[:2, :2])
    first, second = table[:2] - table.mean(dim=0)
    by_torch = torch.nn.functional.cosine_similarity(first, second, dim=0)
    assert torch.allclose(drawn[0, 1], by_torch)


def test_a_larger_base_reaches_farther():
    distances = torch.arange(256, 512)
    near, far = (score_by_distance(distances, 64, base).mean() for base in (1e4, 1.6e5))
    assert far > near


def test_an_odd_head_size_is_refused():
    with pytest.raises(ValueError, match="a head size of 5 has no pairs"):
        rotary_angles(torch.arange(3), 5)
