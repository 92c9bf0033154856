"""The exercises of this lesson solved by another route than the one that checks them."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import numpy as np

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import bundled_model, numbers_in

# A typical mistake of a number, from the values of its question: it has its own hint.
MISTAKES = {
    "cosine_by_hand": lambda v: v["dot"],
}


def cosine_by_hand(task: Task) -> Iterator[str]:
    first, second = (np.array(numbers_in(task.values[name])) for name in ("first", "second"))
    yield f"{first @ second / np.linalg.norm(first) / np.linalg.norm(second):.2f}"


def nearest_sense(task: Task) -> Iterator[str]:
    """By the angles, which two dimensions have."""
    point = np.array(numbers_in(task.values["point"]))
    means = {
        name: np.array(numbers_in(task.values[f"examples_{name}"])).reshape(2, 2).mean(axis=0)
        for name in "abc"
    }
    angles = {
        name: abs(math.atan2(*mean) - math.atan2(*point.astype(float)))
        for name, mean in means.items()
    }
    nearest = min(angles, key=angles.__getitem__)
    assert nearest != min(means, key=lambda name: float(np.linalg.norm(means[name] - point)))
    yield nearest


def place_in_sense(task: Task) -> Iterator[str]:
    """New sentences with words that the lesson's sentences of that sense have."""
    word = task.values["word"]
    for one, other in pairwise(words_near(word, task.values["sense"])[:40]):
        yield f"They looked for the {word} because of the {one} {other}."


# What the search below found for each word: it comes first, since each try is two passes.
FOOLED = {
    "bank": ("In the {} she saw a {}.", "about", "water"),
    "bat": ("So the {} {}.", "wings", "your"),
    "crane": ("He took the {} and the {}.", "with", "will"),
    "mouse": ("They were {} with the {}.", "behind", "with"),
    "plant": ("He took the {} and the {}.", "that", "will"),
    "spring": ("In the {} she saw a {}.", "daffodils", "back"),
}


def fool_it(task: Task) -> Iterator[str]:
    word = task.values["word"]
    frame, *changed = FOOLED[word]
    yield "\n".join(frame.format(one, word) for one in changed)
    names = [part.partition(" (")[0] for part in task.values["senses"].split("; ")]
    frames = ("In the {} she saw a {}.", "He took the {} and the {}.", "They were {} with the {}.")
    for frame in (*frames, "So the {} {}.", "The {} hit the {} hard."):
        for one, other in product(*(words_near(word, name)[:8] for name in names[:2])):
            yield f"{frame.format(one, word)}\n{frame.format(other, word)}"


@cache
def words_near(word: str, sense_name: str) -> list[str]:
    """Return the longer words of the lesson's sentences of a sense, the most frequent first."""
    from mlm_core.embeddings.senses_data import stored_word

    sense = next(each for each in stored_word(word).senses if each.name == sense_name)
    found = Counter(
        each
        for sentence in sense.sentences
        for each in re.findall(r"[a-z]{4,}", sentence.text.lower())
        if not each.startswith(word)
    )
    return [each for each, _ in found.most_common()]


def map_neighbours(task: Task) -> Iterator[str]:
    from mlm_core.stored.maps import read_maps

    assert task.variant == "umap", "the stored maps are out of date"
    k = task.values["k"]
    vectors = word_states(task.values["word"])[-1]
    layout = read_maps(task.values["word"]).at(task.values["layer"]).double().numpy()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    far = np.linalg.norm(layout[:, None] - layout[None], axis=2)
    shared = 0
    for i in range(len(unit)):
        others = [j for j in range(len(unit)) if j != i]
        true = sorted(others, key=lambda j, i=i: -float(unit[i] @ unit[j]))[:k]
        shared += len({*sorted(others, key=lambda j, i=i: float(far[i, j]))[:k]} & {*true})
    yield f"{100 * shared / k / len(unit):.0f} %"


@cache
def word_states(name: str) -> np.ndarray:
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.senses_data import stored_word

    sentences = stored_word(name).sentences
    return all_layers_word_vectors(bundled_model(), sentences).states.double().numpy()
