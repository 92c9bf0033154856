"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator

import numpy as np

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import numbers_in


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


OF_A_SENSE = {
    ("bank", "money"): "The bank gave him a loan for his house.",
    ("bank", "river"): "The boat was tied to the bank under the trees.",
    ("bank", "store"): "The laboratory has a bank of cells for research.",
    ("bat", "animal"): "A bat hung from the roof of the cave.",
    ("bat", "club"): "The player swung his bat and ran to the base.",
    ("crane", "bird"): "The crane stood in the water and ate a fish.",
    ("crane", "machine"): "The workers used a crane to build the tower.",
    ("mouse", "animal"): "The cat caught a mouse in the kitchen.",
    ("mouse", "computer"): "He bought a new mouse and a keyboard for his desk.",
    ("plant", "living"): "The plant in the pot had a red flower.",
    ("plant", "factory"): "The company closed the plant and the workers lost their jobs.",
    ("spring", "season"): "The flowers came out in early spring.",
    ("spring", "coil"): "The engine has a small spring under the valve.",
    ("spring", "water"): "They drank from the spring on the hill.",
}
TOLD_APART_BY = {
    "bank": ("boat", "office"),
    "bat": ("cave", "game"),
    "crane": ("lake", "port"),
    "mouse": ("hole", "file"),
    "plant": ("garden", "city"),
    "spring": ("forest", "machine"),
}


def place_in_sense(task: Task) -> Iterator[str]:
    yield OF_A_SENSE[task.values["word"], task.values["sense"]]


def fool_it(task: Task) -> Iterator[str]:
    word = task.values["word"]
    yield "\n".join(f"We looked at the {word} in the {one}." for one in TOLD_APART_BY[word])


def map_neighbours(task: Task) -> Iterator[str]:
    kept = [
        len({*task.values[f"map_{i}"].split()} & {*task.values[f"space_{i}"].split()}) / 3
        for i in range(1, 6)
    ]
    yield f"{100 * (sum(kept) / 5 - 3 / (task.values['n'] - 1)):.1f} %"
