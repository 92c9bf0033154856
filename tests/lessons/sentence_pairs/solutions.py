"""The exercises of this lesson solved by another route than the one that checks them."""

import math
import re
from collections.abc import Iterator
from itertools import product

from mlm_core.exercises.exercise import Task
from mlm_core.exercises.sentence_pairs import p_follows
from mlm_core.text import corpora
from tests.exercises.learners import SENTENCE, bundled_model


def second_segment(task: Task) -> Iterator[str]:
    ids = bundled_model().tokenizer.encode(SENTENCE, task.values["second"]).type_ids
    yield str(ids.count(1))


def which_label(task: Task) -> Iterator[str]:
    first, second = task.values["first"], task.values["second"]
    here = next(document for document in corpora.documents() if first in document)
    if second not in here:
        yield "not_next"
    else:
        yield "is_next" if here.index(second) == here.index(first) + 1 else "no_pair"


def total_loss(task: Task) -> Iterator[str]:
    p = task.values["p_next"] if task.variant == "true_pair" else 1 - task.values["p_next"]
    yield f"{task.values['masked'] + math.log(1 / p):.2f}"


def two_continuations(task: Task) -> Iterator[str]:
    """With the longer words of the same document and two of other topics, each with each."""
    first = task.values["first"]
    _, *rest = next(document for document in corpora.documents() if first in document)
    longest = sorted(
        {*re.findall(r"\b[a-z]+\b", " ".join(rest))}, key=lambda word: (len(word), word)
    )[-6:]
    texts = [f"They liked the {word}." for word in (*longest, "football", "president")]
    likely = sorted(texts, key=lambda text: p_follows(bundled_model(), first, text))
    for one, other in product(likely[::-1], likely):
        yield f"{one}\n{other}"


def padding_share(task: Task) -> Iterator[str]:
    window = task.values["window"]
    lengths = [int(n) for n in task.values["lengths"].split(", ")]
    empty = sum(window - 2 - n for n in lengths)
    yield f"{100 * empty / (window * len(lengths)):.1f} %"
