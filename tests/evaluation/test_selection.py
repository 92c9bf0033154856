"""Choosing by a part: by hand, and against the expected maximum of binomials."""

from random import Random

import pytest
import torch
from scipy.stats import binom

from mlm_core.evaluation.selection import choose_by_part, draw_part, repeat_selection


def test_of_twenty_coins_the_best_is_as_good_as_the_largest_of_twenty_binomials():
    coins = torch.rand(20, 4_000, generator=torch.Generator().manual_seed(3)) < 0.5
    found = repeat_selection(coins, 50, 400, Random(1))
    expected = sum(1 - binom.cdf(hits, 50, 0.5) ** 20 for hits in range(50)) / 50
    assert found.on_part == pytest.approx(expected, abs=0.01)
    assert found.on_others == pytest.approx(0.5, abs=0.01)
    assert found.n_lower == found.n


def test_a_model_that_is_better_everywhere_is_chosen_and_stays_the_best():
    right = torch.zeros(3, 40, dtype=torch.bool)
    right[1, ::2] = True
    found = choose_by_part(right, range(10))
    assert (found.chosen, found.gap) == (1, 0.0)
    assert found.on_others.tolist() == [0.0, 0.5, 0.0]


def test_of_equal_models_the_first_is_chosen():
    assert choose_by_part(torch.ones(4, 6, dtype=torch.bool), [0]).chosen == 0


def test_a_part_has_its_size_and_no_example_twice():
    part = draw_part(30, 12, Random(5))
    assert len(part) == len(set(part)) == 12
