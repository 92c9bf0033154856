"""Differences between variants: the formula by hand, its coverage, and what is refused."""

import math

import pytest
import torch
from scipy import stats

from mlm_core.evaluation.seeds import (
    T_QUANTILES,
    Variant,
    best_of,
    compare,
    interval_of_proportion,
    seed_mean,
    standard_error,
    t_quantile,
)


def variant(*shares, name="a", right=(True,)):
    return Variant(name=name, proportions=shares, right=right)


def test_the_error_of_a_mean_joins_the_examples_and_the_seeds_by_hand():
    three = variant(0.5, 0.6, 0.7)
    assert three.mean == pytest.approx(0.6)
    assert three.spread == pytest.approx(0.1)
    # 100 examples and 2 + 2 added ones: centre (60 + 2) / 104
    binomial = (62 / 104) * (42 / 104) / 104
    assert three.standard_error(100) == pytest.approx(math.sqrt(binomial + 0.1**2 / 3))


def test_the_table_of_t_is_scipys_and_errs_to_the_careful_side():
    for degrees, t in T_QUANTILES.items():
        assert t == pytest.approx(stats.t.ppf(0.975, degrees), abs=6e-4)
    for degrees in (1.0, 1.7, 2.0, 3.99, 11.0, 59.0):
        assert t_quantile(degrees) >= stats.t.ppf(0.975, degrees) - 6e-4
    assert t_quantile(1e9) == 2.0 and t_quantile(1 - 1e-12) == t_quantile(1)


def test_three_seeds_that_differ_ask_for_a_larger_margin_by_hand():
    # A million examples, or the same ones right: the seeds' spread of 0.1 is all that counts, with
    # 2 degrees of freedom for one variant and 4 for two alike.
    first, second = variant(0.5, 0.6, 0.7), variant(0.3, 0.4, 0.5)
    error = 0.1 / math.sqrt(3)
    assert first.margin(10**6) == pytest.approx(4.303 * error, rel=1e-3)
    assert compare(first, second).margin == pytest.approx(2.776 * math.sqrt(2) * error, 1e-3)
    # One run of each: nothing is estimated from seeds.
    assert variant(0.5).margin(96) == pytest.approx(2 * standard_error(0.5, 96))


def test_equal_variants_with_three_seeds_are_called_different_in_one_of_twenty_at_most():
    generator = torch.Generator().manual_seed(3)
    n_trials = 4_000
    shares = (0.6 + 0.05 * torch.randn(n_trials, 2, 3, generator=generator)).clamp(0, 1).tolist()
    alarms = sum(compare(variant(*a), variant(*b)).is_significant for a, b in shares)
    # Two standard errors would leave 11.6 %, P(|t| > 2) at 4 degrees of freedom.
    assert alarms / n_trials < 0.05 + 5 * math.sqrt(0.05 * 0.95 / n_trials)


def test_more_examples_tell_smaller_differences_apart():
    def found(n):
        first, second = ([True] * 7 + [False] * 3) * n, ([False] * 4 + [True] * 6) * n
        pair = [variant(sum(one) / len(one), right=tuple(one)) for one in (first, second)]
        return compare(*pair)

    assert found(4).difference == pytest.approx(0.1) and not found(4).is_significant
    assert found(40).difference == pytest.approx(0.1) and found(40).is_significant


def test_the_sign_turns_with_the_order_and_of_the_best_the_first_counts():
    low, high = variant(0.4, name="low"), variant(0.7, name="high")
    assert compare(low, high).difference == -compare(high, low).difference
    assert best_of([low, high, variant(0.7, name="later")]) == high


@pytest.mark.parametrize("right", [(), (True, False)])
def test_variants_that_are_not_judged_on_the_same_examples_are_refused(right):
    with pytest.raises(ValueError, match="the same examples, at least one"):
        compare(variant(0.7), variant(0.6, right=right))


def test_on_the_same_examples_the_margin_is_that_of_the_paired_lead_by_hand():
    # Of 100 examples 20 are right for the first alone, 10 for the second alone.
    first = (True,) * 70 + (False,) * 30
    second = (True,) * 50 + (False,) * 20 + (True,) * 10 + (False,) * 20
    pair = [Variant(name="a", proportions=(0.7,), right=first)]
    pair.append(Variant(name="b", proportions=(0.6,), right=second))
    found = compare(*pair)
    assert found.standard_error == pytest.approx(math.sqrt((0.3 - 0.1**2) / 100))
    assert found.margin == pytest.approx(2 * found.standard_error)
    assert not found.is_significant and found.direction == 0
    # The seeds' variance is added to it.
    seeds = Variant(name="c", proportions=(0.7, 0.8, 0.9), right=first)
    error = compare(seeds, pair[1]).standard_error
    assert error == pytest.approx(math.sqrt(found.standard_error**2 + 0.1**2 / 3))


def test_all_right_leaves_an_error_too():
    assert 0 < standard_error(1.0, 153) < 0.02


@pytest.mark.parametrize("shares", [(), (1.2,), (0.5, -0.1), (float("nan"),)])
def test_what_is_no_share_is_refused(shares):
    with pytest.raises(ValueError, match="give at least one, 0 to 1"):
        variant(*shares)


@pytest.mark.parametrize(("share", "n"), [(0.5, 0), (1.5, 10)])
def test_no_examples_have_no_error(share, n):
    with pytest.raises(ValueError, match="at least one"):
        standard_error(share, n)


def test_a_mean_over_seeds_has_students_interval_by_hand():
    # Deviation 1 over three seeds: error 1 / sqrt(3), t of two degrees of freedom 4.303.
    found = seed_mean([1.0, 2.0, 3.0])
    assert found.mean == 2.0 and found.margin == pytest.approx(4.303 / math.sqrt(3))
    assert not found.is_clear and seed_mean([1.0, 1.1, 1.2]).is_clear
    assert not seed_mean([-1.0, -2.0, -3.0]).is_clear and seed_mean([-1.0, -1.1]).margin > 0
    with pytest.raises(ValueError, match="give two or more"):
        seed_mean([1.0])


def test_an_interval_by_hand():
    # Wilson, n = 10, share 0.5: (0.5 + 0.192 ± 1.96 √(0.025 + 0.0096)) / 1.384
    assert interval_of_proportion(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval_of_proportion(0, 10)[0] == 0
