"""How well a search ranks: recall at k, mean reciprocal rank, Spearman's ρ, with intervals.

    rank         1 + candidates that score higher than the right one
    recall at k  proportion of queries whose right candidate has a rank of k or less
    MRR          mean of 1 / rank
    ρ            correlation of two rankings of all graded pairs: by score, and by grade

Equal scores share the mean of their ranks. With three grades of the same size many ranks are
equal, so even a perfect order has a ρ of sqrt(8/9) = 0.94.

An interval is the percentile bootstrap's: queries are drawn with replacement, each with its graded
pairs, and the middle 95 % of the measure over these sets is taken. Two ways of scoring are compared
on the same drawn sets; their difference is clear if its interval excludes 0. Of several runs of
one way, such as those of three seeds, each set's mean is taken.

Source: Manning et al. 2008, section 8.4 (recall at k); Voorhees 1999 (MRR); Spearman 1904; Efron &
Tibshirani 1993 (the bootstrap). scipy gives the same ρ (tested).
Departs: queries of one topic are more alike than drawn ones, so the intervals are a little narrow.
They say what other queries would change, not what other seeds would.

Read before this: graded_pairs.py, ../evaluation/bootstrap.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mlm_core.evaluation.bootstrap import Estimate, draw_times, estimate
from mlm_core.evaluation.metrics import spearman
from mlm_core.search.graded_pairs import SearchTask
from mlm_core.shapes import Float, Int
from mlm_core.short_repr import short_repr

Measure = Literal["recall_at_1", "recall_at_5", "mean_reciprocal_rank", "spearman"]
MEASURES: tuple[Measure, ...] = get_args(Measure)


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Ranked:
    """What one way of scoring gives on a task, as all measures need it."""

    ranks: Float[np.ndarray, " query"]  # of the right candidate, from 1 on
    scores: Float[np.ndarray, " pair"]  # of the graded pairs
    grades: Float[np.ndarray, " pair"]
    query_of_pair: Int[np.ndarray, " pair"]


def rank_candidates(scores: Float[np.ndarray, "query candidate"], task: SearchTask) -> Ranked:
    """Return the rank of each query's right candidate, and the scores of the graded pairs.

    Raises ValueError if the scores are not those of the task.
    """
    if scores.shape != (task.n_queries, task.n_candidates):
        raise ValueError(
            f"scores of {scores.shape} for {task.n_queries} queries and {task.n_candidates}"
            " candidates: give one for each query with each candidate"
        )
    query, candidate, grade = np.array(task.pairs).T
    return Ranked(
        ranks=right_ranks(scores, task.right),
        scores=scores[query, candidate].astype(np.float64),
        grades=grade.astype(np.float64),
        query_of_pair=query,
    )


def right_ranks(
    scores: Float[np.ndarray, "query candidate"], right: Sequence[int]
) -> Float[np.ndarray, " query"]:
    """Return the rank of each query's right candidate, from 1 on; equal ones share the mean.

    >>> right_ranks(np.array([[0.9, 0.2, 0.2]]), [2])
    array([2.5])
    """
    of_right = np.take_along_axis(scores, np.array(right)[:, None], axis=1)
    n_higher, n_equal = (scores > of_right).sum(axis=1), (scores == of_right).sum(axis=1)
    return n_higher + (n_equal + 1) / 2


def score(
    ranked: Ranked | Sequence[Ranked], n_resamples: int, rng: np.random.Generator
) -> dict[Measure, Estimate]:
    """Return every measure of a way, or its mean over several runs, with its interval.

    From -1 (ρ) or 0 to 1. Raises ValueError if the runs are of different tasks.
    """
    runs = _runs_of_one_task(ranked)
    once, drawn = _sets(runs[0], n_resamples, rng)
    values, resampled = _mean_measure(runs, once), _mean_measure(runs, drawn)
    return {name: estimate(values[name][0], resampled[name]) for name in MEASURES}


def lead(
    first: Ranked | Sequence[Ranked],
    second: Ranked | Sequence[Ranked],
    n_resamples: int,
    rng: np.random.Generator,
) -> dict[Measure, Estimate]:
    """Return how much better the first way is than the second, by every measure.

    Raises ValueError if they are of different tasks.
    """
    both = _runs_of_one_task(first), _runs_of_one_task(second)
    once, drawn = _sets(_runs_of_one_task([*both[0], *both[1]])[0], n_resamples, rng)
    a, b = (_mean_measure(runs, once) for runs in both)
    drawn_a, drawn_b = (_mean_measure(runs, drawn) for runs in both)
    return {
        name: estimate((a[name] - b[name])[0], drawn_a[name] - drawn_b[name]) for name in MEASURES
    }


def _sets(
    ranked: Ranked, n_resamples: int, rng: np.random.Generator
) -> tuple[Int[np.ndarray, "1 query"], Int[np.ndarray, "set query"]]:
    """Return how often each query is in the whole set, and in each drawn one."""
    n = len(ranked.ranks)
    return np.ones((1, n), dtype=int), draw_times(n, n_resamples, rng)


def measure(
    ranked: Ranked, times: Int[np.ndarray, "set query"]
) -> dict[Measure, Float[np.ndarray, " set"]]:
    """Return every measure on each set, which has each query so many `times`."""
    n = times.sum(axis=1)
    return {
        "recall_at_1": times @ (ranked.ranks <= 1) / n,
        "recall_at_5": times @ (ranked.ranks <= 5) / n,
        "mean_reciprocal_rank": times @ (1 / ranked.ranks) / n,
        "spearman": spearman(ranked.scores, ranked.grades, times[:, ranked.query_of_pair]),
    }


def _runs_of_one_task(ranked: Ranked | Sequence[Ranked]) -> tuple[Ranked, ...]:
    runs = (ranked,) if isinstance(ranked, Ranked) else tuple(ranked)
    if not runs:
        raise ValueError("no run of this way: give the ranks of at least one")
    if not all(np.array_equal(one.query_of_pair, runs[0].query_of_pair) for one in runs):
        raise ValueError("these are ranks of different tasks: give the ranks of one task")
    return runs


def _mean_measure(
    runs: Sequence[Ranked], times: Int[np.ndarray, "set query"]
) -> dict[Measure, Float[np.ndarray, " set"]]:
    found = [measure(ranked, times) for ranked in runs]
    return {name: np.mean([one[name] for one in found], axis=0) for name in MEASURES}
