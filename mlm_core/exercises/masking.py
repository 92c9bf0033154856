"""Exercises of the lesson "masking".

Read before this: exercise.py, ../masking/rule.py.
"""

from random import Random

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsTextError,
    Task,
    choice_task,
    number_task,
)
from mlm_core.masking.counts import probability_of_none
from mlm_core.masking.goodness_of_fit import Fit, fit_of_proportions
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.number_format import formatted
from mlm_core.text.tokens import tokenize

FEWEST_TOKENS = 4  # [CLS], two of the learner's, [SEP]
RATES = ((0.8, 0.1, 0.1), (0.6, 0.2, 0.2), (0.5, 0.3, 0.2), (0.7, 0.1, 0.2))
BRANCHES = ("mask", "random", "keep")
N_DECISIONS = 1000  # enough that every wrong generator below is far from 80/10/10
WRONG_GENERATORS = ((0.7, 0.15, 0.15), (0.87, 0.03, 0.1), (0.8, 0.18, 0.02), (0.72, 0.1, 0.18))


def _count_chosen(learner: Learner, rng: Random) -> Task:
    """Ask how many tokens BERT chooses in the learner's or a longer sentence."""
    own = len(tokenize(learner.tokenizer(), learner.text).tokens)
    if own < FEWEST_TOKENS:
        raise NeedsTextError(FEWEST_TOKENS)
    # Lengths at which a known error gives another number. Fractions of 0.5 are left out: the
    # original rounds them to the even neighbour, which nobody needs to know.
    lengths = [n for n in range(own + 31, own + 202) if 0.5 < round(0.15 * n % 1, 6) < 0.8]
    n = rng.choice(lengths)
    n_more, right, exact = n - own, count_to_choose(n, 0.15), 0.15 * n
    return number_task(
        right=right,
        tolerance=0,
        mistakes={
            "specials_left_out": count_to_choose(n - 2, 0.15),
            "not_rounded": round(exact, 6),
            "masked_only": round(0.8 * right),
        },
        values={
            "own": own,
            "n_more": n_more,
            "n": n,
            "exact": formatted(exact, ".2f"),
            "right": right,
        },
        answer=str(right),
    )


def _which_branch(learner: Learner, rng: Random) -> Task:
    """Ask what two random numbers do to one token."""
    rates = rng.choice(RATES)
    rule = CorruptionRule(
        selection="independent", mask_rate=rates[0], random_rate=rates[1], keep_rate=rates[2]
    )
    is_chosen = rng.random() < 0.8
    first = rng.randint(1, 14) if is_chosen else rng.randint(16, 60)
    wanted = rng.choice(BRANCHES)
    second = rng.choice([roll for roll in range(1, 100) if rule.branch(roll / 100) == wanted])
    return choice_task(
        (*BRANCHES, "untouched"),
        right=rule.branch(second / 100) if is_chosen else "untouched",
        values={
            "mask": round(100 * rates[0]),
            "random": round(100 * rates[1]),
            "keep": round(100 * rates[2]),
            "first": first / 100,
            "second": second / 100,
            "mask_below": rates[0],
            "random_below": round(rates[0] + rates[1], 2),
        },
        variant="chosen" if is_chosen else "not_chosen",
    )


def _none_chosen(learner: Learner, rng: Random) -> Task:
    """Ask for the probability that no token of a sentence is chosen."""
    n = rng.randint(2, 20)
    rate = max(1, round(100 * (1 - rng.uniform(0.05, 0.95) ** (1 / n))))
    percent = 100 * probability_of_none(n, rate / 100)
    return number_task(
        right=percent,
        tolerance=1.2,
        mistakes={"at_least_one": 100 - percent},
        values={
            "n": n,
            "rate": rate,
            "one": (100 - rate) / 100,
            "percent": formatted(percent, ".0f"),
            "other": formatted(100 - percent, ".0f"),
        },
        in_percent=True,
        answer=formatted(percent, ".0f"),
    )


def _positions_that_count(learner: Learner, rng: Random) -> Task:
    """Ask how many positions enter the loss, given the corrupted tokens."""
    masked, random, kept = rng.randint(3, 40), rng.randint(1, 6), rng.randint(1, 6)
    n = rng.randint(100, 180)
    right = masked + random + kept
    return number_task(
        right=right,
        tolerance=0,
        mistakes={
            "masked_only": masked,
            "kept_forgotten": masked + random,
            "all": n,
            "all_else": n - right,
        },
        values={"n": n, "masked": masked, "random": random, "kept": kept, "right": right},
    )


def _odd_generator(learner: Learner, rng: Random) -> Task:
    """Ask which of three data generators does not do 80/10/10, from counts of real draws."""
    names = ("a", "b", "c")
    odd = rng.choice(names)
    wrong = rng.choice(WRONG_GENERATORS)
    counts = {name: _draw_counts(rng, wrong if name == odd else None) for name in names}
    fits = {name: fit_of_branches(counts[name]) for name in names}
    values: dict[str, object] = {"n": N_DECISIONS, "n_mask": 800, "n_other": 100}
    for name in names:
        values[f"counts_{name}"] = " / ".join(map(str, counts[name]))
        values[f"chi_{name}"] = formatted(fits[name].statistic, ".1f")
    values["chi_odd"] = values[f"chi_{odd}"]
    return choice_task(names, right=odd, values=values)


def _draw_counts(rng: Random, rates: tuple[float, float, float] | None) -> tuple[int, ...]:
    """Return counts of the three branches; None for a sound generator.

    Counts that look like the other kind are drawn again, so that the answer is unique.
    """
    rule = CorruptionRule()
    if rates is not None:
        rule = CorruptionRule(mask_rate=rates[0], random_rate=rates[1], keep_rate=rates[2])
    while True:
        drawn = [rule.branch(rng.random()) for _ in range(N_DECISIONS)]
        counts = tuple(drawn.count(branch) for branch in BRANCHES)
        if fit_of_branches(counts).verdict == ("fits" if rates is None else "no_fit"):
            return counts


def fit_of_branches(counts: tuple[int, ...]) -> Fit:
    """Return how well counts of [MASK], random and kept fit BERT's 80/10/10.

    >>> fit_of_branches((800, 100, 100)).statistic
    0.0
    """
    n = sum(counts)
    return fit_of_proportions(counts, (0.8 * n, 0.1 * n, 0.1 * n))


EXERCISES = (
    Exercise(id="count_chosen", kind="number", ask=_count_chosen, uses_text=True),
    Exercise(id="which_branch", kind="choice", ask=_which_branch),
    Exercise(id="none_chosen", kind="number", ask=_none_chosen),
    Exercise(id="positions_that_count", kind="number", ask=_positions_that_count),
    Exercise(id="odd_generator", kind="choice", ask=_odd_generator),
)
