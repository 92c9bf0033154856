"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import number


def mean_loss(task: Task) -> Iterator[str]:
    product = math.prod(task.values[name] for name in ("first", "second", "third"))
    yield f"{math.log(product ** (-1 / 3)):.3f}"


def one_step(task: Task) -> Iterator[str]:
    yield f"{task.values['rate'] - task.values['rate'] * task.values['chance']:.4f}"


def perplexity(task: Task) -> Iterator[str]:
    if task.variant == "knows_nothing":
        yield f"{math.log2(number(task.values['size'])) * math.log(2):.1f}"
    else:
        yield f"{math.e ** task.values['given_loss']:.2f}"


def top_five(task: Task) -> Iterator[str]:
    word = task.values["word"]
    yield from {
        "water": ("He drank a glass of [MASK].", "The fish swim in the [MASK]."),
        "book": ("He wrote a [MASK] about his life.", "The author published his [MASK] in 1920."),
        "door": ("She opened the [MASK] and went in.", "Somebody knocked at the [MASK]."),
        "city": ("London is the largest [MASK] in England.", "It is the capital [MASK] of Peru."),
        "children": ("They had three [MASK], two sons and a daughter.", "They have two [MASK]."),
        "years": ("He lived there for ten [MASK].", "She died two [MASK] later."),
        "film": ("The [MASK] was directed by John Ford.", "She starred in the 1950 [MASK]."),
        "team": ("The [MASK] won the match.", "He played for the national football [MASK]."),
    }[word]


def two_blanks(task: Task) -> Iterator[str]:
    first, second = task.values["first"] / 100, task.values["second"] / 100
    yield f"{100 - 100 * first**2 - 100 * second**2:.1f} %"
