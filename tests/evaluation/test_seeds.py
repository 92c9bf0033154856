"""Differences between variants: the formula by hand, its coverage, and what is refused."""

import math

import pytest
import torch

from mlm_core.evaluation.seeds import (
    Variant,
    best_of,
    compare,
    compare_all,
    standard_error,
)


def variant(*shares, name="a"):
    return Variant(name=name, shares=shares)


def test_the_error_of_a_mean_joins_the_examples_and_the_seeds_by_hand():
    three = variant(0.5, 0.6, 0.7)
    assert three.mean == pytest.approx(0.6)
    assert three.spread == pytest.approx(0.1)
    # 100 examples and 2 + 2 added ones: centre (60 + 2) / 104
    binomial = (62 / 104) * (42 / 104) / 104
    assert three.standard_error(100) == pytest.approx(math.sqrt(binomial + 0.1**2 / 3))


def test_a_difference_counts_only_beyond_two_standard_errors():
    found = compare(variant(0.8), variant(0.6), 96)
    error = math.hypot(standard_error(0.8, 96), standard_error(0.6, 96))
    assert found.difference == pytest.approx(0.2)
    assert found.margin == pytest.approx(2 * error)
    assert found.is_beyond_chance  # margin 0.128
    assert not compare(variant(0.7), variant(0.6), 96).is_beyond_chance  # margin 0.136


def test_more_examples_tell_smaller_differences_apart():
    pair = variant(0.7), variant(0.6)
    assert compare(*pair, 1_000).is_beyond_chance


def test_who_leads_comes_first_and_the_sign_turns_with_the_order():
    low, high = variant(0.4, name="low"), variant(0.7, name="high")
    assert compare(low, high, 50).difference == -compare(high, low, 50).difference
    (found,) = compare_all([low, high], 50)
    assert (found.first, found.second) == (high, low)
    assert best_of([low, high, variant(0.7, name="later")]) == high


def test_a_variant_is_no_better_than_itself():
    found = compare(variant(0.5, 0.5), variant(0.5, 0.5), 11)
    assert found.difference == 0 and not found.is_beyond_chance


def test_all_right_leaves_an_error_too():
    assert 0 < standard_error(1.0, 153) < 0.02


def test_two_equal_models_are_rarely_called_different():
    generator = torch.Generator().manual_seed(5)
    n, n_trials = 151, 4_000
    draws = torch.rand(n_trials, 2, n, generator=generator) < 0.62
    shares = draws.double().mean(dim=2).tolist()
    alarms = sum(compare(variant(a), variant(b), n).is_beyond_chance for a, b in shares)
    # Two standard errors leave 4.6 %; of 4,000 trials that has a standard error of 0.33 points.
    assert alarms / n_trials == pytest.approx(0.046, abs=5 * 0.0033)


@pytest.mark.parametrize("shares", [(), (1.2,), (0.5, -0.1), (float("nan"),)])
def test_what_is_no_share_is_refused(shares):
    with pytest.raises(ValueError, match="give at least one, 0 to 1"):
        variant(*shares)


@pytest.mark.parametrize(("share", "n"), [(0.5, 0), (1.5, 10)])
def test_no_examples_have_no_error(share, n):
    with pytest.raises(ValueError, match="at least one"):
        standard_error(share, n)
