"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator

from mlm_core.exercises.exercise import Task


def count_chosen(task: Task) -> Iterator[str]:
    yield f"{0.15 * (task.values['own'] + task.values['n_more']):.0f}"


def which_branch(task: Task) -> Iterator[str]:
    first, second = task.values["first"], round(100 * task.values["second"])
    stretches = [(n, task.values[n]) for n in ("mask", "random", "keep")]
    line = [name for name, percent in stretches for _ in range(percent)]
    yield line[second] if first < 0.15 else "untouched"


def none_chosen(task: Task) -> Iterator[str]:
    yield f"{100 * math.exp(task.values['n'] * math.log(1 - task.values['rate'] / 100)):.1f}"


def positions_that_count(task: Task) -> Iterator[str]:
    yield str(task.values["masked"] + task.values["random"] + task.values["kept"])


def odd_generator(task: Task) -> Iterator[str]:
    def misfit(name: str) -> float:
        mask, random, kept = map(int, task.values[f"counts_{name}"].split(" / "))
        assert mask + random + kept == 1000
        return (mask - 800) ** 2 / 800 + (random - 100) ** 2 / 100 + (kept - 100) ** 2 / 100

    worst = max("abc", key=misfit)
    # 5.99 and 13.82: what chance exceeds in 5 % and 0.1 % of cases, from any table of chi-square.
    assert misfit(worst) > 13.82 and all(misfit(n) < 5.992 for n in "abc" if n != worst)
    yield worst
