"""Exercises of the lesson "BIO tagging".

Read before this: tasks/path_tasks.py, tasks/entity_tasks.py.
"""

from itertools import pairwise
from random import Random

from mlm_core.exercises.exercise import Exercise, Learner, Task, number_task
from mlm_core.exercises.tasks.entity_tasks import draw_entity_f1, draw_two_readings
from mlm_core.exercises.tasks.path_tasks import draw_two_paths
from mlm_core.exercises.tasks.tag_tasks import (
    TYPES,
    draw_subword_labels,
    draw_write_tags,
    in_a_row,
)
from mlm_core.number_format import formatted
from mlm_core.tagging.bio_tags import SCHEMES, Span, decode, encode, lost_by, n_tags

WIDTHS = (32, 256, 384, 512, 768, 1024)
N_SENTENCES, N_RESAMPLES = 20, 20


def _tagging_head(learner: Learner, rng: Random) -> Task:
    """Ask for the size of W_K, which follows from the number of tags."""
    n_types, scheme, d = rng.randint(3, 12), rng.choice(SCHEMES), rng.choice(WIDTHS)
    right = d * n_tags(n_types, scheme)
    others = [d * n_tags(n_types, other) for other in SCHEMES if other != scheme]
    return number_task(
        right=right,
        tolerance=0,
        mistakes={
            "outside_forgotten": right - d,
            "tags_alone": n_tags(n_types, scheme),
            "types_alone": d * n_types,
            "other_scheme": others[0],
            "another_scheme": others[1],
            "biases_too": right + n_tags(n_types, scheme),
        },
        values={
            "n_types": n_types,
            "scheme": scheme,
            "d": d,
            "n_letters": (n_tags(n_types, scheme) - 1) // n_types,
            "k": n_tags(n_types, scheme),
            "right": formatted(right, ","),
        },
        variant=scheme.lower(),
    )


def _io_gives_back(learner: Learner, rng: Random) -> Task:
    """Ask how many entities IO gives back: neighbours of one type are merged."""
    while True:
        spans, n_words = _row_of_spans(rng)
        lost = lost_by(spans, n_words, "IO")
        touching = [a.type == b.type for a, b in pairwise(spans) if a.end == b.start]
        if lost and False in touching:
            break
    io_tags = encode(spans, n_words, "IO")
    right = len(decode(io_tags, "IO", "conlleval"))
    return number_task(
        right=right,
        tolerance=0,
        mistakes={
            "nothing_lost": len(spans),
            "types_forgotten": len(spans) - len(touching),
            "the_lost": len(spans) - right,
            "words_inside": sum(tag != "O" for tag in io_tags),
        },
        values={
            "tags": in_a_row(encode(spans, n_words, "BIO")),
            "io_tags": in_a_row(io_tags),
            "n": len(spans),
            "n_touching": len(touching),
            "n_alike": sum(touching),
            "right": right,
        },
    )


def _row_of_spans(rng: Random) -> tuple[list[Span], int]:
    """Return entities of one or two words, some adjacent, and the number of words."""
    spans, here = [], rng.randint(0, 1)
    for _ in range(rng.randint(4, 6)):
        end = here + rng.randint(1, 2)
        spans.append(Span(start=here, end=end, type=rng.choice(TYPES)))
        here = end + rng.choice((0, 0, 1))
    return spans, here + 1


def _bootstrap_p(learner: Learner, rng: Random) -> Task:
    """Ask for p, from the differences on the resampled test sets."""
    while True:
        delta, deltas, p = _leads(rng)
        strictly = sum(lead > 2 * delta for lead in deltas)
        simply = sum(lead >= delta for lead in deltas)
        if 0 < p < simply and strictly < p and delta > 0:
            break
    return number_task(
        right=p / N_RESAMPLES,
        tolerance=0.004,
        mistakes={
            "not_twice": simply / N_RESAMPLES,
            "equality_forgotten": strictly / N_RESAMPLES,
            "below_zero": sum(lead <= 0 for lead in deltas) / N_RESAMPLES,
            "count": p,
            "turned": 1 - p / N_RESAMPLES,
        },
        values={
            "delta": delta,
            "twice": 2 * delta,
            "deltas": ", ".join(map(str, deltas)),
            "n": N_RESAMPLES,
            "count": p,
            "simply": simply,
            "p": formatted(p / N_RESAMPLES, ".2f"),
        },
        answer=formatted(p / N_RESAMPLES, ".2f"),
    )


def _leads(rng: Random) -> tuple[int, list[int], int]:
    """Return A's lead, its lead on each resample, and how many are at least twice A's."""
    import numpy as np

    from mlm_core.evaluation.bootstrap import paired_bootstrap

    # A sentence has one entity, and each tagger names one: F1 is the share of hits.
    hits = [[rng.random() < proportion for _ in range(N_SENTENCES)] for proportion in (0.7, 0.5)]
    first, second = (np.array([[[int(hit), 1, 1]] for hit in each]) for each in hits)
    chance = np.random.default_rng(rng.randrange(2**32))
    found = paired_bootstrap(first, second, N_RESAMPLES, chance)
    # 20 sentences make leads of whole points, five each.
    return round(100 * found.delta), [round(100 * x) for x in found.deltas], found.n_as_large


EXERCISES = (
    Exercise(id="tagging_head", kind="number", ask=_tagging_head),
    Exercise(id="write_tags", kind="text", ask=draw_write_tags),
    Exercise(id="io_gives_back", kind="number", ask=_io_gives_back),
    Exercise(id="piece_labels", kind="text", ask=draw_subword_labels, uses_text=True),
    Exercise(id="two_paths", kind="pair", ask=draw_two_paths),
    Exercise(id="entity_f1", kind="number", ask=draw_entity_f1),
    Exercise(id="two_readings", kind="number", ask=draw_two_readings),
    Exercise(id="bootstrap_p", kind="number", ask=_bootstrap_p),
)
