"""Recall at k, mean reciprocal rank and Spearman's ρ, with their intervals."""

import numpy as np
import pytest

from mlm_core.evaluation.bootstrap import MIDDLE, draw_times
from mlm_core.search.graded_pairs import SearchTask
from mlm_core.search.ranking import MEASURES, lead, rank_candidates, score

TASK = SearchTask(
    queries=("q", "r", "s"),
    candidates=tuple("abcdefg"),
    right=(1, 0, 6),
    pairs=((0, 1, 2), (0, 0, 0), (1, 0, 2), (1, 3, 1), (2, 6, 2), (2, 2, 0)),
)
# The right candidates are first, second with an equal one, and last.
SCORES = np.array(
    [
        [0.1, 0.9, 0.2, 0.3, 0.4, 0.5, 0.6],
        [0.7, 0.8, 0.7, 0.3, 0.1, 0.0, 0.2],
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.1],
    ]
)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_the_measures_are_those_worked_by_hand():
    ranked = rank_candidates(SCORES, TASK)
    assert ranked.ranks.tolist() == [1.0, 2.5, 7.0]
    found = {name: one.value for name, one in score(ranked, 10, rng()).items()}
    assert found["recall_at_1"] == pytest.approx(1 / 3)
    assert found["recall_at_5"] == pytest.approx(2 / 3)
    assert found["mean_reciprocal_rank"] == pytest.approx((1 + 1 / 2.5 + 1 / 7) / 3)
    # Scores .9 .1 .7 .3 .1 .7 have the ranks 6 1.5 4.5 3 1.5 4.5; grades 2 0 2 1 2 0 have
    # 5 1.5 5 3 5 1.5, both with the mean 3.5.
    a, b = np.array([6, 1.5, 4.5, 3, 1.5, 4.5]) - 3.5, np.array([5, 1.5, 5, 3, 5, 1.5]) - 3.5
    assert found["spearman"] == pytest.approx(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_an_interval_is_that_of_the_measures_of_the_drawn_sets_themselves():
    ranked = rank_candidates(SCORES, TASK)
    found = score(ranked, 50, rng())
    drawn = [np.repeat(np.arange(3), times) for times in draw_times(3, 50, rng())]
    for name, of_set in (
        ("recall_at_5", lambda queries: (ranked.ranks[queries] <= 5).mean()),
        ("mean_reciprocal_rank", lambda queries: (1 / ranked.ranks[queries]).mean()),
    ):
        low, high = np.quantile([of_set(queries) for queries in drawn], MIDDLE)
        assert (found[name].low, found[name].high) == pytest.approx((low, high))
        assert low <= found[name].value <= high


def test_a_lead_is_measured_on_the_same_drawn_sets():
    good, bad = rank_candidates(SCORES, TASK), rank_candidates(-SCORES, TASK)
    nothing = lead(good, good, 30, rng())
    assert all((one.value, one.low, one.high) == (0, 0, 0) for one in nothing.values())
    assert not any(one.is_clear for one in nothing.values())
    there, back = lead(good, bad, 30, rng()), lead(bad, good, 30, rng())
    for name in MEASURES:
        assert there[name].value == pytest.approx(-back[name].value)
        assert there[name].low == pytest.approx(-back[name].high)


def test_several_runs_of_one_way_have_the_mean_of_their_measures_on_each_drawn_set():
    runs = rank_candidates(SCORES, TASK), rank_candidates(-SCORES, TASK)
    both, each = score(runs, 40, rng()), [score(one, 40, rng()) for one in runs]
    times = draw_times(3, 40, rng())
    drawn = np.mean([times @ (1 / one.ranks) / 3 for one in runs], axis=0)
    found = both["mean_reciprocal_rank"]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, MIDDLE)))
    over_first = lead(runs, runs[0], 40, rng())
    for name in MEASURES:
        values = [one[name].value for one in each]
        assert both[name].value == pytest.approx(sum(values) / 2)
        assert over_first[name].value == pytest.approx((values[1] - values[0]) / 2)
    assert score(runs[:1], 40, rng()) == each[0]
    with pytest.raises(ValueError, match="at least one"):
        score([], 40, rng())
