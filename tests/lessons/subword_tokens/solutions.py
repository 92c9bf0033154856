"""The exercises of this lesson solved by another route than the one that checks them."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise

from mlm_core.exercises.exercise import Task
from mlm_core.text import corpora
from tests.exercises.learners import n_pieces, number


def longest_match(task: Task) -> Iterator[str]:
    """Among all cuts: the one with the longest first piece, then the longest second, ..."""
    word = task.values["word"]
    vocabulary = set(re.split(r",\s+", task.values["vocabulary"]))
    cuts = []
    for n in range(len(word)):
        for stops in combinations(range(1, len(word)), n):
            parts = [word[i:j] for i, j in pairwise((0, *stops, len(word)))]
            marked = [parts[0], *("##" + part for part in parts[1:])]
            if vocabulary.issuperset(marked):
                cuts.append(marked)
    assert len(cuts) >= 2, "the exercise needs a choice"
    yield " ".join(max(cuts, key=lambda cut: [len(piece.strip("#")) for piece in cut]))


def first_merge(task: Task) -> Iterator[str]:
    pairs: Counter[str] = Counter()
    for word, count in re.findall(r"(\w+) (\d+)", task.values["counts"]):
        for i in range(len(word) - 1):
            end = "</w>" if i == len(word) - 2 else ""
            pairs[word[i : i + 2] + end] += int(count)
    (best, n), (_, n_next) = pairs.most_common(2)
    assert n > n_next
    yield best.removesuffix("</w>")
    yield f"{best[0]}  {best[1]}"


def find_word(task: Task) -> Iterator[str]:
    """Words of our own sentences."""
    letter, goal, longest = (task.values[name] for name in ("letter", "goal", "longest"))
    for word in dict.fromkeys(re.findall(r"\w+", " ".join(corpora.sentences()).casefold())):
        if word.startswith(letter) and len(word) <= longest and n_pieces(word) == goal:
            yield word


def which_table(task: Task) -> Iterator[str]:
    yield {
        "same_text": "position",
        "other_text": "position_segment",
        "other_word": "token",
        "start": "none",
    }[task.variant]


def vocabulary_price(task: Task) -> Iterator[str]:
    small, large, width = (number(task.values[name]) for name in ("small", "large", "width"))
    yield str(large * width / 1e6 - small * width / 1e6)
