"""Exercises of the lesson "word senses".

Read before this: tasks/own_sense_sentences.py.
"""

import math
from random import Random

from mlm_core.exercises.exercise import Exercise, Learner, Task, choice_task, number_task
from mlm_core.exercises.tasks.own_sense_sentences import draw_fool_it, draw_place_in_sense
from mlm_core.number_format import formatted

N_SHOWN, K_NEAREST = 5, 3  # points of a map, and neighbours of each
SENSES = ("a", "b", "c")
LEAST_MARGIN = 0.03  # cosine between the nearest sense of a toy and the next


def _cosine_by_hand(learner: Learner, rng: Random) -> Task:
    """Ask for the cosine of two vectors of three small numbers."""
    while True:
        first, second = ([rng.randint(-4, 5) for _ in range(3)] for _ in range(2))
        dot = sum(x * y for x, y in zip(first, second, strict=True))
        lengths = [math.hypot(*vector) for vector in (first, second)]
        if all(lengths) and 0.15 < abs(dot) / math.prod(lengths) < 0.95:
            break
    right = dot / math.prod(lengths)
    return number_task(
        right=right,
        tolerance=0.015,
        mistakes={
            "dot_product": dot,
            "no_root": dot / math.prod(lengths) ** 2,
            "lengths_added": dot / sum(lengths),
            "one_length": dot / lengths[0],
            "distance": math.dist(first, second),
            "turned": -right,
        },
        values={
            "first": ", ".join(map(str, first)),
            "second": ", ".join(map(str, second)),
            "dot": dot,
            "length_first": formatted(lengths[0], ".3f"),
            "length_second": formatted(lengths[1], ".3f"),
            "cosine": formatted(right, ".3f"),
        },
        answer=formatted(right, ".3f"),
    )


def _nearest_sense(learner: Learner, rng: Random) -> Task:
    """Ask for the nearest sense by cosine; another is nearest by distance."""
    import torch

    from mlm_core.embeddings.word_senses import choose_senses, sense_centroids

    senses = torch.tensor([0, 0, 1, 1, 2, 2])
    while True:
        vectors = [_vector_of_two(rng) for _ in senses]
        point, examples = torch.tensor([_vector_of_two(rng)]).double(), torch.tensor(vectors)
        choice = choose_senses(point, examples.double(), senses, len(SENSES))
        centroids = sense_centroids(examples.double(), senses, len(SENSES))
        by_distance = int(torch.cdist(point, centroids).argmin())
        best, second = choice.cosines[0].topk(2).values.tolist()
        if best - second > LEAST_MARGIN and by_distance != int(choice.senses[0]):
            break
    right = SENSES[int(choice.senses[0])]
    values: dict[str, object] = {"point": "({:.0f}, {:.0f})".format(*point[0].tolist())}
    for i, name in enumerate(SENSES):
        values[f"examples_{name}"] = ", ".join(f"({x}, {y})" for x, y in vectors[2 * i :][:2])
        x, y = (formatted(part, "g") for part in centroids[i].tolist())
        values[f"mean_{name}"] = f"({x}; {y})"
        values[f"cosine_{name}"] = formatted(choice.cosines[0, i], ".3f")

    return choice_task(
        SENSES,
        right=right,
        values=values,
        hint_for=lambda name: "by_distance" if name == SENSES[by_distance] else "not_nearest",
    )


def _vector_of_two(rng: Random) -> tuple[int, int]:
    return rng.randint(0, 9), rng.randint(1, 9)


def _map_neighbours(learner: Learner, rng: Random) -> Task:
    """Ask how many more neighbours a map keeps than a random map would."""
    n, names = rng.randint(20, 90), sorted("ABCDEFGHIJKLMNOPQRST")
    shared, values = [0] * N_SHOWN, {}
    for i in rng.sample(range(N_SHOWN * K_NEAREST), rng.randint(2, 14)):
        shared[i % N_SHOWN] += 1
    for i, point in enumerate(names[:N_SHOWN], 1):
        both = rng.sample([name for name in names if name != point], 2 * K_NEAREST)
        on_map = both[:K_NEAREST]
        by_cosine = both[K_NEAREST - shared[i - 1] :][:K_NEAREST]
        for column, some in (("map", on_map), ("space", by_cosine)):
            values[f"{column}_{i}"] = " ".join(rng.sample(some, K_NEAREST))
    shown, by_chance = N_SHOWN * K_NEAREST, 100 * K_NEAREST / (n - 1)
    kept = 100 * sum(shared) / shown
    right = kept - by_chance
    return number_task(
        right=right,
        tolerance=0.6,
        mistakes={"not_compared": kept, "ratio": kept / by_chance},
        values={
            **values,
            "n": n,
            "k": K_NEAREST,
            "others": n - 1,
            "shown": shown,
            "shared": sum(shared),
            "kept": formatted(kept, ".1f"),
            "by_chance": formatted(by_chance, ".1f"),
            "right": formatted(right, ".1f"),
        },
        in_percent=True,
        answer=formatted(right, ".1f"),
    )


EXERCISES = (
    Exercise(id="cosine_by_hand", kind="number", ask=_cosine_by_hand),
    Exercise(id="nearest_sense", kind="choice", ask=_nearest_sense),
    Exercise(id="place_in_sense", kind="text", ask=draw_place_in_sense),
    Exercise(id="fool_it", kind="pair", ask=draw_fool_it),
    Exercise(id="map_neighbours", kind="number", ask=_map_neighbours),
)
