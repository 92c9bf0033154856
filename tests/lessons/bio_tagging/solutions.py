"""The exercises of this lesson solved by another route than the one that checks them."""

import math
import re
import statistics
from collections.abc import Iterator
from itertools import product

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import n_pieces


def read_brackets(text: str) -> list[tuple[int, int, str]]:
    """Return the entities of a sentence with brackets, as first word, end and type."""
    found, n_words = [], 0
    for part in re.findall(r"\[\w+ [^\]]+\]|\S+", text):
        words = part.strip("[]").split()
        if part.startswith("["):
            type_, *words = words
            found.append((n_words, n_words + len(words), type_))
        n_words += len(words)
    return found


def write_tags(task: Task) -> Iterator[str]:
    tags = ["O"] * task.values["n"]
    for start, end, type_ in read_brackets(task.values["sentence"]):
        row = ["B", *"I" * (end - start - 1)]
        if task.variant == "bioes":
            row = ["S"] if end - start == 1 else ["B", *"I" * (end - start - 2), "E"]
        tags[start:end] = [f"{letter}-{type_}" for letter in row]
    yield " ".join(tags)
    yield ", ".join(tags).lower()


def piece_labels(task: Task) -> Iterator[str]:
    words, entity = task.values["words"].split(), task.values["entity"].split()
    first = next(i for i in range(len(words)) if words[i : i + 2] == entity)
    labels = ["-100"]
    for i, word in enumerate(words):
        tag = {first: "B-", first + 1: "I-"}.get(i, "O")
        tag = tag if tag == "O" else tag + task.values["type"]
        later = tag if task.variant == "copy_to_all" else "-100"
        labels += [tag, *[later] * (n_pieces(word) - 1)]
    yield " ".join([*labels, "−100"])


def two_paths(task: Task) -> Iterator[str]:
    """From all 27 paths."""
    tags = {"o": "O", "b": "B-PER", "i": "I-PER"}

    def chance(path: tuple[str, ...]) -> float:
        return math.prod(float(task.values[f"{name}_{i}"]) for i, name in enumerate(path, 1))

    paths = list(product("obi", repeat=3))
    legal = [path for path in paths if "oi" not in "o" + "".join(path)]
    best = [" ".join(tags[name] for name in max(some, key=chance)) for some in (paths, legal)]
    yield "\n".join(best)


def entity_f1(task: Task) -> Iterator[str]:
    gold, said = ({*read_brackets(task.values[name])} for name in ("gold", "said"))
    precision, recall = (len(gold & said) / len(some) for some in (said, gold))
    f1 = statistics.harmonic_mean([precision, recall])
    yield f"{100 * {'precision': precision, 'recall': recall, 'f1': f1}[task.variant]:.1f} %"


def two_readings(task: Task) -> Iterator[str]:
    """As seqeval counts."""
    from seqeval.metrics.sequence_labeling import get_entities
    from seqeval.scheme import IOB2, Entities

    tags = task.values["tags"].replace("\u2011", "-").split()
    if task.variant == "strict":
        yield str(len(Entities([tags], scheme=IOB2).entities[0]))
    else:
        yield str(len(get_entities(tags)))
