"""The first drawn sets of a paired bootstrap one by one, to see what a thousand of them are.

    sentence   0  1  2  3  4  5
    drawn      1  0  3  0  1  1     as many sentences as there are; here 1 and 3 are left out

On average a set leaves out a share of (1 - 1/n)^n of the n sentences, about 1/e = 0.37.

Source: as ../evaluation/bootstrap.py; Efron & Tibshirani 1993.

Read before this: ../evaluation/bootstrap.py. Read next: ../tagging/decoding_comparison.py.
"""

from dataclasses import dataclass

import numpy as np

from mlm_core.evaluation.bootstrap import DRAWN_AT_ONCE, Average, draw_times, f1_of
from mlm_core.shapes import Int


@dataclass(frozen=True, kw_only=True)
class Resample:
    """One drawn set and what both taggers score on it."""

    times: tuple[int, ...]  # how often each sentence was drawn
    score_a: float  # F1, 0 to 1
    score_b: float

    @property
    def delta(self) -> float:
        """Return the lead of A on this set."""
        return self.score_a - self.score_b

    @property
    def n_left_out(self) -> int:
        """Return how many sentences were not drawn."""
        return self.times.count(0)


def first_resamples(
    counts_a: Int[np.ndarray, "sentence type 3"],
    counts_b: Int[np.ndarray, "sentence type 3"],
    n_first: int,
    n_resamples: int,
    rng: np.random.Generator,
    average: Average = "micro",
) -> tuple[Resample, ...]:
    """Return the first sets that `paired_bootstrap` draws from an equal `rng`.

    `n_resamples` is how many it draws in all. Raises ValueError if more are asked for than are
    drawn at once.
    """
    n_drawn = min(DRAWN_AT_ONCE, n_resamples)
    if not 1 <= n_first <= n_drawn:
        raise ValueError(f"the first {n_first} of {n_drawn} drawn sets: ask for 1 to {n_drawn}")
    # Drawn together with those that aren't shown, or the numbers would not be the same.
    times = draw_times(len(counts_a), n_drawn, rng)[:n_first]
    summed = [np.einsum("ns,stc->ntc", times, counts) for counts in (counts_a, counts_b)]
    scores_a, scores_b = (f1_of(counts, average).tolist() for counts in summed)
    return tuple(
        Resample(times=tuple(row.tolist()), score_a=a, score_b=b)
        for row, a, b in zip(times, scores_a, scores_b, strict=True)
    )
