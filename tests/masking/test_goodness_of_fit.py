"""The chi-square test: against scipy and torch, by hand, and calibrated on simulated counts."""

import math
from random import Random

import pytest
from scipy import stats

from mlm_core.masking.goodness_of_fit import chi_square_tail, fit_of_choices, fit_of_proportions


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 63, 200])
def test_the_tail_is_scipys(degrees):
    # torch's series for many degrees is exact to about 1e-9.
    for statistic in (0.0, 1e-9, 0.3, 2.0, 17.5, 240.0, 4_000.0):
        expected = pytest.approx(stats.chi2.sf(statistic, degrees), rel=1e-8, abs=1e-300)
        assert chi_square_tail(statistic, degrees) == expected


@pytest.mark.parametrize("counts", [[16, 4], [812, 91, 97], [5, 5, 5, 5, 9]])
def test_a_fit_of_shares_is_scipys(counts):
    expected = [sum(counts) / len(counts)] * len(counts)
    ours, theirs = fit_of_proportions(counts, expected), stats.chisquare(counts, expected)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p_value == pytest.approx(theirs.pvalue)


def test_by_hand():
    # (16 - 10)^2 / 10 + (4 - 10)^2 / 10 = 7.2
    fit = fit_of_proportions([16, 4], [10, 10])
    assert (fit.statistic, fit.degrees, fit.verdict) == (7.2, 1, "surprising")


def test_what_was_not_expected_and_came_can_not_fit():
    fit = fit_of_proportions([10, 1], [11, 0])
    assert fit.statistic == math.inf and fit.verdict == "no_fit"
    assert fit_of_proportions([11, 0], [11, 0]).degrees == 0


def test_few_counts_give_no_verdict():
    assert fit_of_proportions([2, 1, 0], [2.4, 0.3, 0.3]).verdict == "too_few"
    assert fit_of_choices([9, 9], 9, 1.0, fixed=True).verdict == "too_few"
    assert fit_of_choices([9, 8], 9, 1.0, fixed=True).verdict == "no_fit"
    assert fit_of_choices([7, 7, 7], 7, 1.0, fixed=False).verdict == "too_few"


def test_sums_that_differ_are_refused():
    with pytest.raises(ValueError, match="both must be equal"):
        fit_of_proportions([1, 2], [1, 1])
    with pytest.raises(ValueError, match="expected at least 0 and 1"):
        chi_square_tail(1.0, 0)


@pytest.mark.parametrize("kind", ["independent", "together"])
def test_p_is_below_a_tenth_in_a_tenth_of_true_cases(kind):
    # 400 seeded runs: the number below 0.1 is binomial, mean 40, standard deviation 6. Within
    # 4.5 of them; the seed is fixed, so it passes always or never.
    rng, n, below = Random(3), 7, 0
    for _ in range(400):
        counts = [0] * n
        for _ in range(150):
            together = rng.sample(range(n), 3)
            for i in range(n):
                counts[i] += rng.random() < 0.3 if kind == "independent" else i in together
        fixed = kind == "together"
        fit = fit_of_choices(counts, 150, 3 / 7 if fixed else 0.3, fixed=fixed)
        below += fit.p_value < 0.1
    assert 40 - 27 < below < 40 + 27
