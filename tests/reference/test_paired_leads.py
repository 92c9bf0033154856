"""The lead of one model over another on the same examples agrees with scipy."""

import numpy as np
import pytest
from scipy import stats

from mlm_core.evaluation.bootstrap import paired_lead


def answers(n, n_first, n_second):
    """Return which examples two models get right: so many only the first, so many the second."""
    first = np.zeros(n, dtype=bool)
    second = first.copy()
    first[:n_first] = second[n_first : n_first + n_second] = True
    first[-1] = second[-1] = True
    return first.tolist(), second.tolist()


CASES = [(162, 31, 16), (289, 20, 37), (40, 0, 0), (53, 2, 11)]


@pytest.mark.parametrize(("n", "n_first", "n_second"), CASES)
def test_p_is_that_of_the_exact_binomial_test(n, n_first, n_second):
    found = paired_lead(*answers(n, n_first, n_second))
    assert (found.n, found.n_first, found.n_second) == (n, n_first, n_second)
    expected = 1.0 if n_first == n_second else stats.binomtest(n_first, n_first + n_second).pvalue
    assert found.p_value == pytest.approx(expected)


@pytest.mark.parametrize(("n", "n_first", "n_second"), CASES)
def test_the_interval_is_the_middle_of_what_scipy_draws(n, n_first, n_second):
    """Scipy's paired percentile bootstrap, and the distribution that it draws from."""
    first, second = answers(n, n_first, n_second)
    found = paired_lead(first, second)
    of_one = np.subtract(first, second, dtype=int)
    drawn = stats.bootstrap(
        (of_one,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    )
    # The leads of drawn sets are 1/n apart: a quantile of 20,000 sets can be one step away.
    step = 1 / n + 1e-9
    assert abs(found.low - drawn.confidence_interval.low) <= step
    assert abs(found.high - drawn.confidence_interval.high) <= step
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.03, abs=1e-9)
    # Below either end lie less than the quantile's sets, and with it at least as many.
    share = stats.multinomial(n, [n_first / n, n_second / n, 1 - (n_first + n_second) / n])
    counts = np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])
    leads, weights = (counts[:, 0] - counts[:, 1]) / n, share.pmf(counts)
    for end, quantile in ((found.low, 0.025), (found.high, 0.975)):
        assert weights[leads < end - 1e-9].sum() < quantile <= weights[leads <= end + 1e-9].sum()
