"""Exercises of the lesson "word senses".

Read before this: tasks/own_sense_sentences.py, ../stored/maps.py.
"""

import math
from random import Random
from typing import TYPE_CHECKING

from mlm_core.embeddings.senses_data import SenseWord, stored_word
from mlm_core.exercises.exercise import Exercise, Learner, Task, choice_task, number_task
from mlm_core.exercises.tasks.own_sense_sentences import (
    draw_fool_it,
    draw_place_in_sense,
    last_layer_vectors,
)
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.shapes import Float, Tensor

MAPPED_WORDS = ("bank", "match", "mouse", "spring")
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
    """Ask for a guess: how many neighbours on a map are neighbours in the space."""
    from mlm_core.embeddings.trust import trust_map

    word, k = stored_word(rng.choice(MAPPED_WORDS)), rng.choice((1, 5, 20))
    model = learner.model()
    vectors = last_layer_vectors(learner, model, word)
    layout, variant = learner.remember(
        f"map of {word.word} ({word.language}) by {model.name}",
        lambda: _layout(model, word, vectors),
    )
    trust = trust_map(vectors, layout, k)
    percent = 100 * trust.kept_proportions.mean().item()
    n = len(vectors)
    return number_task(
        right=percent,
        tolerance=4,
        values={
            "word": word.word,
            "k": k,
            "n": n,
            "others": n - 1,
            "by_chance": formatted(100 * k / (n - 1), ".0f"),
            "layer": model.n_layers,
            "percent": formatted(percent, ".0f"),
            "worst": formatted(100 * trust.kept_proportions.min().item(), ".0f"),
        },
        variant=variant,
        in_percent=True,
        says_direction=True,
        answer=formatted(percent, ".0f"),
    )


def _layout(
    model: "MaskedLanguageModel", word: SenseWord, vectors: "Float[Tensor, 'point hidden']"
) -> "tuple[Float[Tensor, 'point 2'], str]":
    """Return the lesson's stored map if there is one, else PCA."""
    from mlm_core.embeddings.maps import pca_layout
    from mlm_core.encoder.model_list import BUNDLED
    from mlm_core.stored.maps import read_maps

    if model.name == BUNDLED:
        return read_maps(word.word).at(model.n_layers), "umap"
    return pca_layout(vectors), "pca"


EXERCISES = (
    Exercise(id="cosine_by_hand", kind="number", ask=_cosine_by_hand),
    Exercise(id="nearest_sense", kind="choice", ask=_nearest_sense),
    Exercise(id="place_in_sense", kind="text", ask=draw_place_in_sense),
    Exercise(id="fool_it", kind="pair", ask=draw_fool_it),
    Exercise(id="map_neighbours", kind="guess", ask=_map_neighbours),
)
