"""Pairs of the mini world's sentences with a class: two tasks that are not NSP.

    topic   do both sentences tell the same scene?                    same, other
    sense   has the ambiguous word of both sentences the same sense?  same, other

A and B are always of different documents, so B never follows A. Half of the pairs are "same". In
"sense" both sentences have the same ambiguous word, so that it tells nothing by itself.

The training part is of the documents that small encoders are pretrained on, without these classes;
no sentence of it is in the dev or the test part, and none of the dev part in the test part.

Source: Pilehvar et al. 2019 (words in context: the same sense or not).

Read before this: examples.py, ../text/mini_world/world.py.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from mlm_core.labelled.examples import Dataset, LabelledText
from mlm_core.text.mini_world.world import WorldDocument, WorldSentence, world, write_documents

PairTask = Literal["topic", "sense"]
PAIR_TASKS: tuple[PairTask, ...] = get_args(PairTask)
CLASSES = ("same", "other")
MAJORITY = 0.5  # accuracy of one class for all pairs

DOCUMENTS_SEED = 6  # of the documents of dev and test
N_DOCUMENTS = {"dev": 400, "test": 800}
N_PAIRS = {"train": 512, "dev": 200, "test": 600}


def world_pairs(task: PairTask) -> Dataset[LabelledText]:
    """Return the pairs of a task, always the same."""
    others = write_documents(Random(DOCUMENTS_SEED), sum(N_DOCUMENTS.values()))
    n_dev = N_DOCUMENTS["dev"]
    documents = {"train": world("train"), "dev": others[:n_dev], "test": others[n_dev:]}
    seen: set[tuple[str, ...]] = set()
    parts = {}
    for part, told in documents.items():
        parts[part] = draw_pairs(task, told, N_PAIRS[part], Random(f"{task} {part}"), seen)
        seen |= {sentence.words for document in told for sentence in document.sentences}
    return Dataset(kind="classes", classes=CLASSES, **parts)


def draw_pairs(
    task: PairTask,
    documents: Sequence[WorldDocument],
    n: int,
    rng: Random,
    left_out: "set[tuple[str, ...]] | frozenset[tuple[str, ...]]" = frozenset(),
) -> tuple[LabelledText, ...]:
    """Return `n` different pairs, "same" and "other" in turn, without the sentences left out."""
    # What a pair has in common -> what it may differ in -> document and sentence.
    sorted_out: dict[str, dict[str, list[tuple[int, str]]]] = {}
    for i, document in enumerate(documents):
        for sentence in document.sentences:
            if sentence.words not in left_out:
                for common, answer in _answers(task, document, sentence):
                    found = sorted_out.setdefault(common, {}).setdefault(answer, [])
                    found.append((i, sentence.text))
    pairs: dict[tuple[str, str], str] = {}
    while len(pairs) < n:
        label = CLASSES[len(pairs) % 2]
        answers = sorted_out[rng.choice(sorted(sorted_out))]
        one = rng.choice(sorted(answers))
        other = one if label == "same" else rng.choice(sorted({*answers} - {one}))
        (i, first), (j, second) = rng.choice(answers[one]), rng.choice(answers[other])
        if i != j:
            pairs.setdefault((first, second), label)
    return tuple(LabelledText(text=a, pair=b, label=label) for (a, b), label in pairs.items())


def _answers(
    task: PairTask, document: WorldDocument, sentence: WorldSentence
) -> list[tuple[str, str]]:
    """Return what a sentence has in common with all that it may be paired with, and its answer."""
    if task == "topic":
        return [("", document.scene)]
    return [(one.word, one.sense) for one in sentence.senses]
