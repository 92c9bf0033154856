"""Tasks that compare: a probe, a head that is off, a search with a control, two patches with both.

Read before this: ../exercise.py, ../../inside/known_by_layer.py, ../../inside/switches.py,
../../inside/patching.py, ../../search/ranking.py.
"""

import math
from random import Random

from mlm_core.exercises.exercise import Learner, Task, number_task
from mlm_core.number_format import formatted

N_RANDOM_HEADS = 19  # with the one in question 20: the smallest p-value is 5 %
GUESS = 1 / 3  # of three parts of speech
# Accuracies of the probe and of its control, on words that were learned from and on others. The
# ranges keep apart what is right from what is wrong: a guess from the control, one kind of words
# from the other.
SEEN, CONTROL_SEEN = (0.9, 0.96), (0.76, 0.85)
UNSEEN, CONTROL_UNSEEN = (0.7, 0.9), (0.37, 0.46)
# What one state closes of the gap, another one, and both: the sum is more or less than both.
CLOSED = ((0.3, 0.7), (0.25, 0.6), (0.75, 1.0))
WAYS, N_SEARCHED = "abcd", 200  # ways without training, and queries that all ways search


def memory_aside(learner: Learner, rng: Random) -> Task:
    """Ask by how much a probe is better than its control where memory can't help."""
    n_seen, n_unseen = rng.randrange(120, 260, 20), rng.randrange(120, 260, 20)
    n = n_seen + n_unseen
    right_seen, control_seen = (round(rng.uniform(*at) * n_seen) for at in (SEEN, CONTROL_SEEN))
    right, control = (round(rng.uniform(*at) * n_unseen) for at in (UNSEEN, CONTROL_UNSEEN))
    points = 100 * (right - control) / n_unseen
    return number_task(
        right=points,
        tolerance=0.11,
        in_percent=True,
        mistakes={
            "all_words": 100 * (right_seen + right - control_seen - control) / n,
            "seen_words": 100 * (right_seen - control_seen) / n_seen,
            "no_control": 100 * right / n_unseen,
            "against_a_guess": 100 * (right / n_unseen - GUESS),
            "of_all_words": 100 * (right - control) / n,
        },
        values={
            "n": n,
            "n_seen": n_seen,
            "n_unseen": n_unseen,
            "right_seen": right_seen,
            "control_seen": control_seen,
            "right": right,
            "control": control,
            "points": formatted(points, ".1f"),
        },
    )


def random_heads(learner: Learner, rng: Random) -> Task:
    """Ask whether a head matters more than heads drawn at random: the p-value."""
    from mlm_core.encoder.model_list import READERS
    from mlm_core.stored.heads_off import read_losses

    _, losses = read_losses(READERS[learner.language])
    rises = {off[0]: loss - losses[()] for off, loss in losses.items() if len(off) == 1}
    rises = {head: round(rises[head], 3) for head in rng.sample(sorted(rises), N_RANDOM_HEADS + 1)}
    # Not the least of them, which all others reach.
    head = rng.choice([one for one, rise in rises.items() if rise > min(rises.values())])
    others = [rise for one, rise in rises.items() if one != head]
    n_reached = sum(rise >= rises[head] for rise in others)
    p_value = (n_reached + 1) / len(rises)
    return number_task(
        right=p_value,
        tolerance=0.005,
        mistakes={
            "without_itself": n_reached / N_RANDOM_HEADS,
            "other_side": (N_RANDOM_HEADS - n_reached) / len(rises),
            "a_count": n_reached + 1,
        },
        values={
            "layer": head.layer,
            "head": head.head,
            "rise": formatted(rises[head], "+z.3f"),
            "n": N_RANDOM_HEADS,
            "of": len(rises),
            "others": "; ".join(formatted(rise, "+z.3f") for rise in others),
            "reached": n_reached,
            "p": formatted(p_value, ".2f"),
        },
    )


def two_patches(learner: Learner, rng: Random) -> Task:
    """Ask by how much what two states close, added up, differs from what both close at once."""
    while True:
        clean, corrupted = round(rng.uniform(2, 6), 2), round(rng.uniform(-6, -1), 2)
        gap = clean - corrupted
        runs = [round(corrupted + rng.uniform(*at) * gap, 2) for at in CLOSED]
        word, blank, both = (100 * (one - corrupted) / gap for one in runs)
        parts = [round(one, 2) for one in (word, blank, both)]  # as they are shown
        adds_up = round(parts[0] + parts[1] - parts[2], 1) == round(word + blank - both, 1)
        if abs(word + blank - both) > 3 and adds_up:
            break
    difference = runs[0] + runs[1] - runs[2]  # of logits, in which the corrupted run is left
    points = word + blank - both
    names = ("clean", "corrupted", "word", "blank", "both")
    logits = zip(names, (clean, corrupted, *runs), strict=True)
    return number_task(
        right=points,
        tolerance=0.16,  # percentage points: three parts, each rounded to 0.1
        in_percent=True,
        mistakes={
            "turned_round": -points,
            "without_corrupted": 100 * difference / gap,
            "of_clean": 100 * difference / clean,
            "added_alone": word + blank,
            "in_logits": difference - corrupted,
        },
        values={
            "layer": rng.randint(5, 9),
            **{name: formatted(one, "+.2f") for name, one in logits},
            **{
                f"of_{name}": formatted(one, ".2f")
                for name, one in zip(names[2:], parts, strict=True)
            },
            "points": formatted(points, "+.1f"),
        },
    )


def best_baseline(learner: Learner, rng: Random) -> Task:
    """Ask for the paired lead of trained vectors over the best way without training."""
    while True:
        n_right = rng.randint(80, 130)  # of the trained way
        apart = {way: (rng.randint(10, 60), rng.randint(5, 50)) for way in WAYS}
        hits = {way: n_right - only + other for way, (only, other) in apart.items()}
        leads = {way: _paired(*counts) for way, counts in apart.items()}
        best, second = sorted(WAYS, key=lambda way: -hits[way])[:2]
        only, other = apart[best]
        rates = [n_right / N_SEARCHED, hits[best] / N_SEARCHED]
        error = math.sqrt(sum(p * (1 - p) / N_SEARCHED for p in rates))
        mistakes = {
            "weakest": max(leads.values()),
            "not_paired": (rates[0] - rates[1]) / error,
            "turned": -leads[best],
            "the_lead": only - other,
        }
        if N_SEARCHED - 20 > hits[best] > hits[second]:
            break
    return number_task(
        right=leads[best],
        tolerance=0.02,
        mistakes=mistakes,
        values={
            "n": N_SEARCHED,
            "trained": n_right,
            **{f"hits_{way}": hits[way] for way in WAYS},
            **{f"only_{way}": apart[way][0] for way in WAYS},
            **{f"other_{way}": apart[way][1] for way in WAYS},
            "best": best.upper(),
            "only": only,
            "other": other,
            "over_weakest": formatted(max(leads.values()), ".2f"),
            "lead": formatted(leads[best], ".2f"),
        },
        answer=formatted(leads[best], ".2f"),
    )


def _paired(only: int, other: int) -> float:
    """Return the lead in what only one of two ways finds, in standard deviations of a fair coin.

    >>> _paired(20, 5)
    3.0
    """
    return (only - other) / math.sqrt(only + other)
