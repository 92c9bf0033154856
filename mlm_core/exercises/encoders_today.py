"""Exercises of the lesson "encoders today".

Read before this: exercise.py, ../search/ranking.py, ../search/late_interaction.py,
../search/info_nce.py,
../encoder/local_attention.py.
"""

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean, pstdev, stdev
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import Exercise, Learner, Task, Verdict, number_task
from mlm_core.exercises.tasks.control_tasks import best_baseline
from mlm_core.exercises.tasks.masks import judge_mask
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from mlm_core.shapes import Bool, Tensor

CANDIDATES = "ABCDE"
N_QUERIES = 4
SEEDS = (1, 2, 3)
COSINES = tuple(round(0.05 * step, 2) for step in range(4, 19))  # 0.2 to 0.9
RANGES = (6, 9, 12, 15)  # of the cosines of a text, how many of the smallest it draws from
TEMPERATURES = (0.1, 0.2, 0.25, 0.5)
TOKENS = ("[CLS]", "The", "tide", "came", "in", "at", "night", "[SEP]")


# How well a search ranks.


def _reciprocal_ranks(learner: Learner, rng: Random) -> Task:
    """Ask for the mean reciprocal rank of a few queries, from all cosines."""
    while True:
        rows = [rng.sample(COSINES, len(CANDIDATES)) for _ in range(N_QUERIES)]
        right = [rng.randrange(len(CANDIDATES)) for _ in rows]
        ranks = [1 + sum(one > row[i] for one in row) for row, i in zip(rows, right, strict=True)]
        value = fmean([1 / rank for rank in ranks])
        mistakes = {
            "turned": fmean([1 / (len(CANDIDATES) + 1 - rank) for rank in ranks]),
            "of_mean_rank": 1 / fmean(ranks),
            "mean_rank": fmean(ranks),
            "recall": fmean([rank == 1 for rank in ranks]),
            "cosine_of_right": fmean([row[i] for row, i in zip(rows, right, strict=True)]),
        }
        if 0.25 < value < 0.9:
            break
    return number_task(
        right=value,
        tolerance=0.006,
        mistakes=mistakes,
        values={
            **{
                f"cosine_{query}_{name}": formatted(cosine, ".2f")
                for query, row in enumerate(rows, 1)
                for name, cosine in zip(CANDIDATES, row, strict=True)
            },
            **{f"right_{query}": CANDIDATES[i] for query, i in enumerate(right, 1)},
            **{f"rank_{query}": rank for query, rank in enumerate(ranks, 1)},
            "mean": formatted(value, ".3f"),
            "n_first": sum(rank == 1 for rank in ranks),
            "recall": formatted(100 * mistakes["recall"], ".0f"),
        },
        answer=formatted(value, ".3f"),
    )


# Late interaction.


def _max_sim(learner: Learner, rng: Random) -> Task:
    """Ask for the score of one text minus that of another, from the cosines of tokens.

    A row of a table is a token of the query, a column one of the text.
    """
    while True:
        # Of different ranges, so that the difference is seldom small.
        first, second = (
            [rng.sample(COSINES[:n], 3) for _ in range(3)] for n in rng.sample(RANGES, 2)
        )
        best, by_text, every, largest = (
            of(first) - of(second)
            for of in (
                _mean_best,
                lambda table: _mean_best(list(zip(*table, strict=True))),
                lambda table: fmean(fmean(row) for row in table),
                lambda table: max(max(row) for row in table),
            )
        )
        mistakes = {
            "turned": -best,
            "sum": 3 * best,
            "by_text": by_text,
            "every": every,
            "largest": largest,
        }
        if abs(best) > 0.03 and min(abs(best - wrong) for wrong in mistakes.values()) > 0.015:
            break
    cosines = {
        f"{name}_{i}_{j}": formatted(cosine, ".2f")
        for name, table in (("a", first), ("b", second))
        for i, row in enumerate(table, 1)
        for j, cosine in enumerate(row, 1)
    }
    scores = {"score_a": _mean_best(first), "score_b": _mean_best(second)}
    return number_task(
        right=best,
        tolerance=0.006,
        mistakes=mistakes,
        values=cosines
        | {name: formatted(value, ".3f") for name, value in scores.items()}
        | {"lead": formatted(best, "+.3f")},
        answer=formatted(best, ".3f"),
    )


def _mean_best(table: Sequence[Sequence[float]]) -> float:
    """Return the mean of each row's largest number."""
    return fmean(max(row) for row in table)


# The loss of contrastive training.


def _batch_loss(learner: Learner, rng: Random) -> Task:
    """Ask for the InfoNCE loss of two pairs, from their cosines and the temperature."""
    while True:
        cosines = [rng.sample(COSINES, 2) for _ in range(2)]
        temperature = rng.choice(TEMPERATURES)
        # The partner of each first sentence is in its own column.
        gaps = [cosines[0][1] - cosines[0][0], cosines[1][0] - cosines[1][1]]
        by_column = [cosines[1][0] - cosines[0][0], cosines[0][1] - cosines[1][1]]
        losses = [_loss(gap / temperature) for gap in gaps]
        value = fmean(losses)
        mistakes = {
            "no_temperature": fmean([_loss(gap) for gap in gaps]),
            "times_temperature": fmean([_loss(gap * temperature) for gap in gaps]),
            "first_only": losses[0],
            "second_only": losses[1],
            "sum": sum(losses),
            "by_column": fmean([_loss(gap / temperature) for gap in by_column]),
            "probability": fmean([math.exp(-loss) for loss in losses]),
            "bits": value / math.log(2),
        }
        if 0.15 < value < 2:
            break
    return number_task(
        right=value,
        tolerance=0.012,
        mistakes=mistakes,
        values={
            **{
                f"cosine_{i}_{j}": formatted(cosine, ".2f")
                for i, row in enumerate(cosines, 1)
                for j, cosine in enumerate(row, 1)
            },
            **{
                f"score_{i}_{j}": formatted(cosine / temperature, ".2f")
                for i, row in enumerate(cosines, 1)
                for j, cosine in enumerate(row, 1)
            },
            "temperature": formatted(temperature, "g"),
            "probability_1": formatted(math.exp(-losses[0]), ".3f"),
            "probability_2": formatted(math.exp(-losses[1]), ".3f"),
            "loss_1": formatted(losses[0], ".3f"),
            "loss_2": formatted(losses[1], ".3f"),
            "loss": formatted(value, ".3f"),
        },
        answer=formatted(value, ".3f"),
    )


def _loss(gap: float) -> float:
    """Return -ln P of the partner, whose score is lower by `gap` than the other candidate's.

    >>> round(_loss(0.0), 4)  # ln 2, a guess
    0.6931
    """
    return math.log1p(math.exp(gap))


# Whether a changed recipe is better.


def _paired_seeds(learner: Learner, rng: Random) -> Task:
    """Ask how many standard errors a mean difference over seeds is from 0."""
    while True:
        usual = [round(rng.uniform(1.1, 1.9), 2) for _ in SEEDS]
        middle = rng.uniform(-0.3, 0.3)
        changed = [round(one + middle + rng.uniform(-0.08, 0.08), 2) for one in usual]
        gains = [round(b - a, 2) for a, b in zip(usual, changed, strict=True)]
        mean, spread = fmean(gains), stdev(gains)
        if spread > 0.03 and abs(mean) > 0.02:
            value = math.sqrt(len(SEEDS)) * mean / spread
            apart = math.sqrt((stdev(usual) ** 2 + stdev(changed) ** 2) / len(SEEDS))
            if 1 < abs(value) < 10:
                break
    return number_task(
        right=value,
        tolerance=max(0.03, 0.02 * abs(value)),
        mistakes={
            "not_paired": mean / apart,
            "turned": -value,
            "of_one_run": mean / spread,
            "the_difference": mean,
            "by_n": math.sqrt(len(SEEDS)) * mean / pstdev(gains),
        },
        values={
            **{f"usual_{k}": formatted(one, ".2f") for k, one in zip(SEEDS, usual, strict=True)},
            **{
                f"changed_{k}": formatted(one, ".2f") for k, one in zip(SEEDS, changed, strict=True)
            },
            "gains": "; ".join(formatted(one, "+z.2f") for one in gains),
            "mean": formatted(mean, "+.4f"),
            "spread": formatted(spread, ".4f"),
            "value": formatted(value, "+.2f"),
        },
        answer=formatted(value, ".2f"),
    )


# How far a window reaches.


def _draw_reach(learner: Learner, rng: Random) -> Task:
    """Ask for the tokens whose information can be in each token's vector."""
    from mlm_core.encoder.drawn_masks import mask_to_text
    from mlm_core.encoder.local_attention import local_mask

    n = len(TOKENS)
    n_layers, side, of_all = rng.choice(
        (
            *((n, side, None) for n, side in ((2, 1), (3, 1), (2, 2), (5, 1), (2, 3))),
            *((1, side, token) for side in (1, 2) for token in range(n)),
        )
    )
    right = reach_of(n_layers, side, of_all)
    one_layer = local_mask(n, 2 * side)

    def judge(answer: str) -> Verdict:
        return judge_mask(answer, right, {"window_only": one_layer}, TOKENS)

    return Task(
        values={
            "n_layers": n_layers,
            "window": 2 * side,
            "side": side,
            "reach": n_layers * side,
            "first": TOKENS[of_all or 0],
            "n_open": int(right.sum()),
            "n_cells": n * n,
        },
        judge=judge,
        variant="layers" if of_all is None else "global_token",
        tokens=TOKENS,
        answer=mask_to_text(right),
    )


def reach_of(n_layers: int, side: int, of_all: int | None) -> "Bool[Tensor, 'query key']":
    """Return from which tokens each token's vector can have information after some layers.

    `of_all` is the global token, if there is one.
    """
    from mlm_core.encoder.local_attention import local_mask

    attended = local_mask(len(TOKENS), 2 * side)
    if of_all is not None:
        attended[of_all, :] = attended[:, of_all] = True
    reached = attended
    for _ in range(n_layers - 1):
        reached = (attended.int() @ reached.int()) > 0
    return reached


EXERCISES = (
    Exercise(id="reciprocal_ranks", kind="number", ask=_reciprocal_ranks),
    Exercise(id="best_baseline", kind="number", ask=best_baseline),
    Exercise(id="max_sim", kind="number", ask=_max_sim),
    Exercise(id="batch_loss", kind="number", ask=_batch_loss),
    Exercise(id="paired_seeds", kind="number", ask=_paired_seeds),
    Exercise(id="draw_reach", kind="mask", ask=_draw_reach),
)
