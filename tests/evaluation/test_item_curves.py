"""Item curves: recovered where the truth is known, over what is observed, refused where too few."""

import numpy as np
import pytest
from scipy import stats

from mlm_core.evaluation.item_curves import FEWEST, N_GROUPS, fit_curves, score_groups

DIFFICULTIES = np.linspace(-1.5, 1.5, 11)
SLOPES = np.linspace(0.6, 1.8, 11)


def drawn(n, rng, slopes=SLOPES):
    """Return whose answers are right, of learners with normal abilities."""
    p = stats.logistic.cdf(slopes * (rng.normal(size=(n, 1)) - DIFFICULTIES))
    return rng.random(p.shape) < p


def test_slopes_and_difficulties_come_out_again_and_points_lie_on_the_curves():
    right = drawn(700, np.random.default_rng(1))
    curves = fit_curves(right)
    difficulties, errors = curves.difficulties()
    assert not curves.has_one_slope
    # 22 estimates: one beyond 3.5 errors in a hundred such tests.
    assert (np.abs(difficulties - DIFFICULTIES) < 3.5 * errors).all()
    assert (np.abs(curves.slopes - SLOPES) < 3.5 * np.sqrt(curves.covariances[:, 0, 0])).all()
    held = []
    for question in range(11):
        groups = score_groups(curves, right, question)
        assert sum(one.n for one in groups) == 700 and len(groups) == N_GROUPS
        middle = curves.probabilities(question, np.array([one.ability for one in groups]))[1]
        held += [g.low <= p <= g.high for g, p in zip(groups, middle, strict=True)]
    assert np.mean(held) > 0.9


def test_95_percent_of_the_intervals_of_a_small_class_hold_the_truth():
    rng = np.random.default_rng(2)
    held = []
    for _ in range(30):
        curves = fit_curves(drawn(60, rng, np.full(11, 1.2)))
        difficulties, errors = curves.difficulties()
        held += [*(np.abs(difficulties - DIFFICULTIES) < 1.96 * errors)]
        low, _, high = curves.probabilities(0, np.array([0.0]))
        held.append(low[0] < stats.logistic.cdf(-1.2 * DIFFICULTIES[0]) < high[0])
        assert curves.has_one_slope and len(set(curves.slopes)) == 1
    # 360 intervals, of which those of a class go together.
    assert 0.91 < np.mean(held) < 0.985


def test_right_for_wrong_turns_a_curve_around():
    right = drawn(300, np.random.default_rng(3))
    there, back = fit_curves(right), fit_curves(~right)
    assert back.slopes == pytest.approx(there.slopes, abs=1e-3)
    assert back.intercepts == pytest.approx(-there.intercepts, abs=1e-3)


@pytest.mark.parametrize(
    ("right", "said"),
    [
        (drawn(FEWEST - 1, np.random.default_rng(4)), "49 learners.*at least 50"),
        (np.ones((60, 3), dtype=bool), "everybody or nobody"),
        (np.tile(np.arange(60)[:, None] % 2 == 0, (1, 3)), "too much in common"),
        (np.random.default_rng(0).random((60, 5)) < 0.5, "too little"),
    ],
)
def test_answers_without_curves_are_refused(right, said):
    with pytest.raises(ValueError, match=said):
        fit_curves(right)
