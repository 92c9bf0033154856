"""Exercises of the lesson "BIO tagging": two paths, hits of a tagger, and the two readings.

Source: SLP3 section 11.5.4: Jane for Jane Villanueva is one missed and one false alarm.

Read before this: tasks/tag_tasks.py, ../tagging/decoding.py, ../tagging/scores.py.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from random import Random

from mlm_core.exercises.exercise import Exercise, Learner, Task, Verdict, number_task, read_pair
from mlm_core.exercises.tasks.tag_tasks import (
    TYPES,
    bracketed,
    draw_subword_labels,
    draw_write_tags,
    in_a_row,
    split_row,
)
from mlm_core.number_format import formatted
from mlm_core.tagging.bio_tags import Span, decode, encode, find_runs
from mlm_core.tagging.scores import score_entities, word_accuracy

PATH_TAGS = ("O", "B-PER", "I-PER")
N_WORDS = 3
N_STEPS = 20  # all probabilities are twentieths
FIRST_NAMES = ("Jane", "Ada", "Ines", "Omar", "Pavel", "Lucia", "Tomas", "Nora")
LAST_NAMES = ("Villanueva", "Novak", "Holm", "Haddad", "Orlov", "Moreno", "Lind", "Okafor")
FIRMS = (
    *("United Airlines Holding", "Delta Rail Group", "Silver Lake Foods", "North Sea Oil"),
    *("Harbour Council", "Moss Town", "Coastal Rescue", "Bracken Rovers"),
)
PLACES = ("Lima", "Oslo", "Nairobi", "Dallas", "Kyoto")
FAR_PLACES = ("New Zealand", "Costa Rica", "Sri Lanka", "South Africa")


def _two_paths(learner: Learner, rng: Random) -> Task:
    """Ask for the greedy path and the most probable legal one."""
    import torch

    from mlm_core.tagging.decoding import greedy, viterbi
    from mlm_core.tagging.transitions import faults_in, legal_transitions, repair

    transitions = legal_transitions(PATH_TAGS, "BIO")
    while True:
        table = [_distribution(rng) for _ in range(N_WORDS)]
        logs = torch.tensor(table, dtype=torch.float64).log()
        each = [PATH_TAGS[i] for i in greedy(logs).path]
        best = [PATH_TAGS[i] for i in viterbi(logs, transitions).path]
        mended = list(repair(each, "BIO", "conlleval"))
        is_plain = all(sorted(row)[-1] > sorted(row)[-2] for row in table)
        if is_plain and faults_in(each, "BIO") and best != mended and _is_ahead(table, best):
            break
    values: dict[str, object] = {
        "greedy": in_a_row(each),
        "viterbi": in_a_row(best),
        "mended": in_a_row(mended),
        "fault": faults_in(each, "BIO")[0].reason,
        "p_greedy": formatted(_probability(table, each), ".4g"),
        "p_viterbi": formatted(_probability(table, best), ".4g"),
        "p_mended": formatted(_probability(table, mended), ".4g"),
    }
    for i, row in enumerate(table):
        for name, p in zip("obi", row, strict=True):
            values[f"{name}_{i + 1}"] = formatted(p, ".2f")

    def judge(answer: str) -> Verdict:
        paths = [[_whole(tag) for tag in split_row(line)] for line in read_pair(answer)]
        if any(len(path) != N_WORDS or not {*path} <= {*PATH_TAGS} for path in paths):
            return Verdict.wrong("no_path")
        if paths[0] != each:
            return Verdict.wrong("other_greedy")
        if paths[1] == best:
            return Verdict.right()
        faults = faults_in(paths[1], "BIO")
        if faults:
            return Verdict.wrong("not_legal", reason=faults[0].reason)
        hint = "only_mended" if paths[1] == mended else "less_likely"
        return Verdict.wrong(hint, p=formatted(_probability(table, paths[1]), ".4g"))

    return Task(values=values, judge=judge, answer="\n".join(map(" ".join, (each, best))))


def _whole(tag: str) -> str:
    """Return a tag with its type, which may be omitted, since there is only one."""
    return f"{tag}-PER" if tag in ("B", "I") else tag


def _distribution(rng: Random) -> list[float]:
    first, second = sorted(rng.sample(range(1, N_STEPS), len(PATH_TAGS) - 1))
    return [first / N_STEPS, (second - first) / N_STEPS, (N_STEPS - second) / N_STEPS]


def _probability(table: Sequence[Sequence[float]], path: Sequence[str]) -> float:
    product = 1.0
    for row, tag in zip(table, path, strict=True):
        product *= row[PATH_TAGS.index(tag)]
    return product


def _is_ahead(table: Sequence[Sequence[float]], best: Sequence[str]) -> bool:
    """Return whether every other legal path is clearly less probable."""
    from mlm_core.tagging.transitions import faults_in

    legal = [path for path in product(PATH_TAGS, repeat=len(table)) if not faults_in(path, "BIO")]
    ranked = sorted((_probability(table, path) for path in legal), reverse=True)
    return ranked[0] - ranked[1] > 0.005 and _probability(table, best) == ranked[0]


def _entity_f1(learner: Learner, rng: Random) -> Task:
    """Ask for a measure of predicted entities, one of them cut short."""
    variant = rng.choice(("precision", "recall", "f1", "f1"))
    while True:
        words, gold = _sentence(rng)
        predicted, n_halves = _predicted(gold, rng)
        scores = score_entities([gold], [predicted])
        counts = scores.counts
        # They would be the most frequent answers by far.
        is_usual = round(getattr(scores.micro, variant), 3) in (0.333, 0.4, 0.5, 0.667)
        has_all = n_halves and counts.n_hits and 2 <= counts.n_predicted < counts.n_gold
        if has_all and not is_usual:
            break
    tags = [encode(spans, len(words), "BIO") for spans in (gold, predicted)]
    measures = {name: 100 * getattr(scores.micro, name) for name in ("precision", "recall", "f1")}
    others = {f"that_{name}": value for name, value in measures.items() if name != variant}
    plain_mean = (measures["precision"] + measures["recall"]) / 2
    below = {"precision": counts.n_predicted, "recall": counts.n_gold}
    below["f1"] = (counts.n_predicted + counts.n_gold) / 2
    return number_task(
        right=measures[variant],
        tolerance=0.5,
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
    n = rng.randint(1, 5)
    first, last, firms = (rng.sample(names, n) for names in (FIRST_NAMES, LAST_NAMES, FIRMS))
    listed = [
        (("and", ""), (f"{first[i]} {last[i]}", "PER"), ("of", ""), (firms[i], "ORG"))
        for i in range(n)
    ]
    parts = (
        *[part for one in listed for part in one][1:],
        *(("flew from", ""), (rng.choice(PLACES), "GPE"), ("to", "")),
        *((rng.choice(FAR_PLACES), "GPE"), (".", "")),
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


def _two_readings(learner: Learner, rng: Random) -> Task:
    """Ask how many entities one of the two readings sees in tags that break the rules."""
    variant = rng.choice(("conlleval", "strict"))
    letters = ["O", "O", *(f"{letter}-{type_}" for type_ in TYPES[:2] for letter in "BII")]
    n_tags = rng.randint(8, 30)
    while True:
        tags = [rng.choice(letters) for _ in range(n_tags)]
        runs = find_runs(tags, "BIO")
        faulty = [run for run in runs if run.faults]
        # One that begins anew for its type alone, and one with more tags to carry away.
        is_longer = any(run.span.end - run.span.start > 1 for run in faulty)
        if 1 < len(faulty) < len(runs) and is_longer and _turns(tags):
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


EXERCISES = (
    Exercise(id="write_tags", kind="text", ask=draw_write_tags),
    Exercise(id="piece_labels", kind="text", ask=draw_subword_labels, uses_text=True),
    Exercise(id="two_paths", kind="pair", ask=_two_paths),
    Exercise(id="entity_f1", kind="number", ask=_entity_f1),
    Exercise(id="two_readings", kind="number", ask=_two_readings),
)
