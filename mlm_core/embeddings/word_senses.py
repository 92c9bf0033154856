"""Find the sense of a word in its sentence by its nearest neighbour.

    v_s = (1/n) Σ v_i                       a sense's vector: the mean of its examples' (11.6)
    sense(t) = argmax_s cosine(t, v_s)        the nearest sense                           (11.7)

The method "centroids" compares with each sense's mean, "examples" with every example (1-nearest
neighbour). With leave-one-out each sentence is compared with all others; a sentence that is in
the data twice is not compared with its copy.

Source: SLP3 section 11.3.1, Eq 11.6, 11.7, Fig 11.8; Gale et al. 1992 for one sense per
discourse. A word without any example gets the most frequent sense.
Departs: the textbook sums the last four layers; here the layer is the caller's choice.

Read before this: contextual.py. Read next: isotropy.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import torch
from torch.nn import functional as F

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.evaluation.metrics import confusion
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.words import words_of

Method = Literal["centroids", "examples"]
METHODS: tuple[Method, ...] = get_args(Method)
NOTHING = -2.0  # below every cosine: a sense that has no example to compare with


@short_repr()
@dataclass(frozen=True, kw_only=True)
class SenseChoice:
    """The sense chosen for each point, and its cosine with each sense."""

    cosines: Float[Tensor, "point sense"]  # to the centroid or the nearest example; NOTHING if none
    senses: Int[Tensor, " point"]  # the chosen sense's number
    nearest: Int[Tensor, " point"]  # the nearest example's number; -1 with centroids, or if none
    method: Method


class LayerScore(NamedTuple):
    """How often leave-one-out finds the sense at one layer."""

    accuracy: float
    macro_f1: float
    right: tuple[bool, ...]  # of each sentence


def cosines(
    first: Float[Tensor, "query hidden"], second: Float[Tensor, "key hidden"]
) -> Float[Tensor, "query key"]:
    """Return the cosine of each vector of the first with each of the second, -1 to 1."""
    return F.normalize(first, dim=-1) @ F.normalize(second, dim=-1).T


def sense_centroids(
    vectors: Float[Tensor, "example hidden"], senses: Int[Tensor, " example"], n_senses: int
) -> Float[Tensor, "sense hidden"]:
    """Return each sense's mean vector, Eq 11.6; zero for a sense without an example."""
    members = F.one_hot(senses, n_senses).to(vectors.dtype)
    return (members.T @ vectors) / members.sum(dim=0).clamp(min=1)[:, None]


def most_frequent_sense(senses: Int[Tensor, " example"], n_senses: int) -> int:
    """Return the sense with most examples, the first of equals; 0 if there is none."""
    return int(torch.bincount(senses, minlength=n_senses).argmax())


def choose_senses(
    points: Float[Tensor, "point hidden"],
    examples: Float[Tensor, "example hidden"],
    senses: Int[Tensor, " example"],
    n_senses: int,
    *,
    method: Method = "centroids",
) -> SenseChoice:
    """Return for each new point the nearest sense, Eq 11.7.

    Raises ValueError if a sense's number is not below n_senses, or the method is unknown.

    >>> examples = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    >>> choose_senses(torch.tensor([[3.0, 1.0]]), examples, torch.tensor([0, 1]), 2).senses
    tensor([0])
    """
    _refuse_senses(senses, n_senses, method)
    senses = senses.to(examples.device)
    fallback = most_frequent_sense(senses, n_senses)
    if method == "centroids":
        near = cosines(points, sense_centroids(examples, senses, n_senses))
        is_empty = torch.bincount(senses, minlength=n_senses) == 0
        return _choice(near.masked_fill(is_empty, NOTHING), None, fallback, method)
    return _nearest_examples(cosines(points, examples), senses, n_senses, fallback)


def leave_one_out(
    vectors: Float[Tensor, "example hidden"],
    senses: Int[Tensor, " example"],
    n_senses: int,
    groups: Int[Tensor, " example"] | None = None,
    *,
    method: Method = "centroids",
) -> SenseChoice:
    """Return for each example the sense that the other examples give.

    `groups` numbers the sentences: examples of one group are left out together.
    A sense whose only example is left out can't be chosen.
    Raises ValueError as choose_senses does.
    """
    _refuse_senses(senses, n_senses, method)
    senses = senses.to(vectors.device)
    groups = torch.arange(len(vectors)) if groups is None else groups
    groups = groups.to(vectors.device)
    same_group = groups[:, None] == groups[None, :]
    fallback = most_frequent_sense(senses, n_senses)
    if method == "examples":
        near = cosines(vectors, vectors).masked_fill(same_group, NOTHING)
        return _nearest_examples(near, senses, n_senses, fallback)
    members = F.one_hot(senses, n_senses).to(vectors.dtype)
    # The examples that remain in each sense for each point: [point, example] @ [example, sense].
    kept = (~same_group).to(vectors.dtype)
    counts = kept @ members
    sums = torch.stack([kept @ (member[:, None] * vectors) for member in members.T], dim=1)
    centroids = sums / counts.clamp(min=1)[..., None]
    near = F.cosine_similarity(vectors[:, None], centroids, dim=-1)
    return _choice(near.masked_fill(counts == 0, NOTHING), None, fallback, method)


def one_sense_per_discourse(
    choice: SenseChoice, discourses: Int[Tensor, " point"]
) -> Int[Tensor, " point"]:
    """Return the senses if all uses of the word in one text have the same.

    It is the sense with the largest sum of cosines over the uses. Source: Gale et al. 1992 for
    the rule. Departs: they do not use cosines.
    """
    same = (discourses[:, None] == discourses[None, :]).to(choice.cosines.dtype)
    return (same @ choice.cosines).argmax(dim=1)


def scores_by_layer(
    states: Float[Tensor, "layer sentence hidden"],
    senses: Int[Tensor, " sentence"],
    n_senses: int,
    groups: Int[Tensor, " sentence"] | None = None,
    *,
    method: Method = "centroids",
) -> tuple[LayerScore, ...]:
    """Return how well leave-one-out finds the senses, by layer.

    Source: Coenen et al. 2019 report F1 by layer on a standard data set.
    """
    found = []
    for vectors in states:
        chosen = leave_one_out(vectors, senses, n_senses, groups, method=method).senses
        score = confusion(senses.tolist(), chosen.tolist(), range(n_senses))
        right = tuple((chosen == senses).tolist())
        found.append(LayerScore(score.accuracy, score.macro_f1, right))
    return tuple(found)


def sentence_groups(sentences: Sequence[MarkedSentence]) -> Int[Tensor, " sentence"]:
    """Return a number for each sentence, the same for sentences of the same text.

    Case, spaces and punctuation are ignored.
    """
    numbers: dict[str, int] = {}
    keys = [" ".join(words_of(sentence.text)) or sentence.text for sentence in sentences]
    return torch.tensor([numbers.setdefault(key, len(numbers)) for key in keys])


def _nearest_examples(
    near: Float[Tensor, "point example"],
    senses: Int[Tensor, " example"],
    n_senses: int,
    fallback: int,
) -> SenseChoice:
    by_sense = near.new_full((len(near), n_senses), NOTHING)
    by_sense = by_sense.scatter_reduce(1, senses.expand_as(near), near, "amax")
    nearest = senses.new_full((len(near),), -1)
    if near.shape[1]:
        largest, index = near.max(dim=1)
        nearest = torch.where(largest == NOTHING, nearest, index)
    return _choice(by_sense, nearest, fallback, "examples")


def _choice(
    near: Float[Tensor, "point sense"],
    nearest: Int[Tensor, " point"] | None,
    fallback: int,
    method: Method,
) -> SenseChoice:
    senses = torch.where((near == NOTHING).all(dim=1), fallback, near.argmax(dim=1))
    if nearest is None:
        nearest = torch.full_like(senses, -1)
    return SenseChoice(cosines=near, senses=senses, nearest=nearest, method=method)


def _refuse_senses(senses: Int[Tensor, " example"], n_senses: int, method: Method) -> None:
    if method not in METHODS:
        raise ValueError(f"method {method!r}: choose one of {', '.join(METHODS)}")
    if n_senses < 1 or (len(senses) and not 0 <= int(senses.min()) <= int(senses.max()) < n_senses):
        raise ValueError(f"senses {senses.tolist()}: number them from 0 to {n_senses - 1}")
