"""Exercises that count entities: hits of a tagger, and the two readings.

Source: SLP3 section 11.5.4: Jane for Jane Villanueva is one missed and one false alarm.

Read before this: tag_tasks.py, ../../tagging/scores.py.
"""

from collections.abc import Iterable
from itertools import pairwise
from random import Random

from mlm_core.exercises.exercise import Learner, Task, number_task
from mlm_core.exercises.tasks.tag_tasks import TYPES, bracketed, in_a_row
from mlm_core.number_format import formatted
from mlm_core.tagging.bio_tags import Span, decode, encode, find_runs
from mlm_core.tagging.scores import score_entities, word_accuracy

FIRST_NAMES = ("Jane", "Ada", "Ines", "Omar", "Pavel", "Lucia", "Tomas", "Nora")
LAST_NAMES = ("Villanueva", "Novak", "Holm", "Haddad", "Orlov", "Moreno", "Lind", "Okafor")
FIRMS = ("United Airlines Holding", "Delta Rail Group", "Silver Lake Foods", "North Sea Oil")
CLUBS = ("Harbour Council", "Moss Town", "Coastal Rescue", "Bracken Rovers")
PLACES = ("Lima", "Oslo", "Nairobi", "Dallas", "Kyoto")
FAR_PLACES = ("New Zealand", "Costa Rica", "Sri Lanka", "South Africa")


def draw_entity_f1(learner: Learner, rng: Random) -> Task:
    """Ask for a measure of predicted entities, one of them cut short."""
    variant = rng.choice(("precision", "recall", "f1", "f1"))
    words, gold = _sentence(rng)
    while True:
        predicted, n_halves = _predicted(gold, rng)
        scores = score_entities([gold], [predicted])
        counts = scores.counts
        if n_halves and counts.n_hits and 2 <= counts.n_predicted < counts.n_gold:
            break
    tags = [encode(spans, len(words), "BIO") for spans in (gold, predicted)]
    measures = {name: 100 * getattr(scores.micro, name) for name in ("precision", "recall", "f1")}
    others = {f"that_{name}": value for name, value in measures.items() if name != variant}
    plain_mean = (measures["precision"] + measures["recall"]) / 2
    below = {"precision": counts.n_predicted, "recall": counts.n_gold}
    below["f1"] = (counts.n_predicted + counts.n_gold) / 2
    return number_task(
        right=measures[variant],
        tolerance=0.6,
        mistakes={
            **others,
            "by_words": 100 * word_accuracy(tags[:1], tags[1:]).accuracy,
            "halves_count": 100 * (counts.n_hits + n_halves) / below[variant],
            "plain_mean": plain_mean,
            "hits": counts.n_hits,
        },
        values={
            "gold": bracketed(words, gold),
            "said": bracketed(words, predicted),
            "n_hits": counts.n_hits,
            "n_gold": counts.n_gold,
            "n_said": counts.n_predicted,
            "n_missed": counts.n_missed,
            "n_false": counts.n_false_alarms,
            "doubled": 2 * counts.n_hits,
            "together": counts.n_gold + counts.n_predicted,
            **{name: formatted(value, ".1f") for name, value in measures.items()},
            "accuracy": formatted(100 * word_accuracy(tags[:1], tags[1:]).accuracy, ".0f"),
        },
        variant=variant,
        in_percent=True,
        answer=formatted(measures[variant], ".1f"),
    )


def _sentence(rng: Random) -> tuple[list[str], list[Span]]:
    """Return an invented sentence and its entities."""
    first, second = (
        f"{name} {last}"
        for name, last in zip(rng.sample(FIRST_NAMES, 2), rng.sample(LAST_NAMES, 2), strict=True)
    )
    parts = (
        *((first, "PER"), ("of", ""), (rng.choice(FIRMS), "ORG"), ("and", "")),
        *((second, "PER"), ("of", ""), (rng.choice(CLUBS), "ORG"), ("flew from", "")),
        *((rng.choice(PLACES), "GPE"), ("to", ""), (rng.choice(FAR_PLACES), "GPE"), (".", "")),
    )
    words: list[str] = []
    spans = []
    for text, type_ in parts:
        start = len(words)
        words += text.split()
        if type_:
            spans.append(Span(start=start, end=len(words), type=type_))
    return words, spans


def _predicted(gold: list[Span], rng: Random) -> tuple[list[Span], int]:
    """Return possible predictions of these entities, and how many are too short."""
    predicted, n_halves = [], 0
    for span in gold:
        kind = rng.choice(("hit", "hit", "hit", "half", "half", "missed", "type"))
        if kind == "half" and span.end - span.start > 1:
            predicted.append(Span(start=span.start, end=span.end - 1, type=span.type))
            n_halves += 1
        elif kind == "type":
            other = rng.choice([each for each in ("PER", "ORG", "GPE") if each != span.type])
            predicted.append(Span(start=span.start, end=span.end, type=other))
        elif kind != "missed":
            predicted.append(span)
    return predicted, n_halves


def draw_two_readings(learner: Learner, rng: Random) -> Task:
    """Ask how many entities one of the two readings sees in tags that break the rules."""
    variant = rng.choice(("conlleval", "strict"))
    letters = ["O", "O", *(f"{letter}-{type_}" for type_ in TYPES[:2] for letter in "BII")]
    while True:
        tags = [rng.choice(letters) for _ in range(9)]
        runs = find_runs(tags, "BIO")
        faulty = [run for run in runs if run.faults]
        # One that begins anew for its type alone, and one with more tags to carry away.
        is_longer = any(run.span.end - run.span.start > 1 for run in faulty)
        if 1 < len(faulty) < len(runs) <= 6 and is_longer and _turns(tags):
            break
    n = {name: len(decode(tags, "BIO", name)) for name in ("conlleval", "strict")}
    of_one_type = [tag if tag == "O" else f"{tag[0]}-PER" for tag in tags]
    other = {"conlleval": "strict", "strict": "conlleval"}[variant]
    return number_task(
        right=n[variant],
        tolerance=0,
        mistakes={
            "other_reading": n[other],
            "the_difference": len(faulty),
            "types_forgotten": len(decode(of_one_type, "BIO", variant)),
            "tags_counted": sum(tag != "O" for tag in tags),
        },
        values={
            "tags": in_a_row(tags),
            "conlleval": n["conlleval"],
            "strict": n["strict"],
            "runs": _told(run.span for run in runs),
            "faults": tuple(fault.reason for run in runs for fault in run.faults),
        },
        variant=variant,
    )


def _turns(tags: list[str]) -> bool:
    """Return whether an I tag follows a tag of another type."""
    return any(a != "O" and b[0] == "I" and a[2:] != b[2:] for a, b in pairwise(tags))


def _told(spans: Iterable[Span]) -> str:
    """Return spans as text; words count from 1."""
    return ", ".join(
        f"{span.type} {span.start + 1}" + (f"–{span.end}" if span.end - span.start > 1 else "")
        for span in spans
    )
