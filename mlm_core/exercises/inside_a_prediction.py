"""Exercises of the lesson "inside a prediction".

Read before this: exercise.py, ../inside/lens.py.
"""

from random import Random

from mlm_core.exercises.exercise import Exercise, Learner, Task, number_task
from mlm_core.number_format import formatted

N_ABOVE = (11, 14, 17, 23, 26, 38, 41, 57)


def _rank(learner: Learner, rng: Random) -> Task:
    """Ask for a token's rank, from the number of tokens with a larger logit."""
    above, n_tokens = rng.choice(N_ABOVE), rng.choice((15_000, 30_000, 50_000))
    return number_task(
        right=above + 1,
        tolerance=0,
        mistakes={"above": above, "below": n_tokens - above - 1},
        values={"above": above, "n_tokens": formatted(n_tokens, ",")},
    )


EXERCISES = (Exercise(id="rank", kind="number", ask=_rank),)
