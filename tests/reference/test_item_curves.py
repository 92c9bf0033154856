"""Item curves against published estimates, and against integrals that scipy computes."""

import numpy as np
import pytest
from scipy import integrate, special

from mlm_core.evaluation.item_curves import fit_curves

# Section 6 of a Law School Admission Test: how many of 1,000 people have which of the five
# questions right, from none to all (Bock & Lieberman 1970; the data set LSAT of R's package ltm).
PEOPLE = [
    *(3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15),
    *(10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298),
]
LSAT = np.repeat(
    [[char == "1" for char in f"{number:05b}"] for number in range(32)], PEOPLE, axis=0
)
# ltm 1.2 (Rizopoulos 2006): summary(ltm(LSAT ~ z1)) and summary(rasch(LSAT)), by question the
# difficulty, its standard error, the slope, its standard error; then the log-likelihood.
TWO_PARAMETERS = [
    *((-3.3597, 0.8669, 0.8254, 0.2581), (-1.3696, 0.3073, 0.7229, 0.1867)),
    *((-0.2799, 0.0997, 0.8905, 0.2326), (-1.8659, 0.4341, 0.6886, 0.1852)),
    (-3.1236, 0.8700, 0.6575, 0.2100),
]
ONE_SLOPE = [
    *((-3.6153, 0.3266, 0.7551, 0.0694), (-1.3224, 0.1422, 0.7551, 0.0694)),
    *((-0.3176, 0.0977, 0.7551, 0.0694), (-1.7301, 0.1691, 0.7551, 0.0694)),
    (-2.7802, 0.2510, 0.7551, 0.0694),
]


@pytest.mark.parametrize(
    ("has_one_slope", "published", "log_likelihood"),
    [(False, TWO_PARAMETERS, -2466.653), (True, ONE_SLOPE, -2466.938)],
)
def test_the_curves_of_a_law_school_test_are_those_of_ltm(has_one_slope, published, log_likelihood):
    """Its search stops at a gradient of 0.024, which moves the third digit."""
    curves = fit_curves(LSAT, has_one_slope=has_one_slope)
    errors = np.sqrt(curves.covariances[:, 0, 0])
    found = np.stack([*curves.difficulties(), curves.slopes, errors], axis=1)
    assert found == pytest.approx(np.array(published), rel=0.005, abs=0.002)
    assert curves.log_likelihood == pytest.approx(log_likelihood, abs=0.002)


def test_likelihood_and_errors_are_those_of_direct_integration():
    rng = np.random.default_rng(5)
    logits = np.add(rng.normal(size=(70, 1)), [-1, 0, 0.5, 1])
    right = rng.random((70, 4)) < special.expit(logits)
    curves = fit_curves(right)
    patterns, counts = np.unique(right, axis=0, return_counts=True)

    def log_likelihood(parameters):
        slope, intercepts = parameters[0], parameters[1:]

        def of(ability):
            p = special.expit(np.where(patterns, 1, -1) * (slope * ability + intercepts))
            return np.exp(-(ability**2) / 2) / np.sqrt(2 * np.pi) * p.prod(axis=1)

        return counts @ np.log(integrate.quad_vec(of, -9, 9, epsabs=1e-12)[0])

    best = np.array([curves.slopes[0], *curves.intercepts])
    at_best = log_likelihood(best)
    assert at_best == pytest.approx(curves.log_likelihood, rel=1e-9)
    steps = 0.02 * np.eye(5)
    second = [
        [
            sum(i * j * log_likelihood(best + i * a + j * b) for i in (1, -1) for j in (1, -1))
            for b in steps
        ]
        for a in steps
    ]
    # Four points for each derivative, whose error grows with the square of the step.
    covariance = np.linalg.inv(-np.array(second) / (4 * 0.02**2))
    assert curves.covariances[2] == pytest.approx(covariance[np.ix_([0, 3], [0, 3])], rel=0.01)
