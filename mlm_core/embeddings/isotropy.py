"""The expected cosine of random words, and what each dimension adds to it.

    anisotropy    = E[cos(x, y)]          x, y: words of different sentences, drawn at random
    proportion(d) = E[u_d v_d] / E[cos]   u, v: x and y scaled to length 1; they sum to 1

Vectors in random directions have an anisotropy of 0. If a few rogue dimensions cause most of it,
every cosine depends mainly on these dimensions.

It is estimated in two ways. By sampling: at most one word of each sentence, each word in one
pair, so that the pairs are independent and the standard error is s / sqrt(pairs). In closed form:
the mean over all pairs of different sentences, from sums alone,

    (|Σ u|² - Σ_sentence |Σ_in u|²) / (n² - Σ_sentence n_s²)

and the same for each dimension.

Source: SLP3 section 11.3.2; Ethayarajh 2019 for the measure; Timkey & van Schijndel 2021 for the
proportions of dimensions.

Read before this: word_senses.py. Read next: ../tagging/bio_tags.py; also postprocessing.py.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import torch
from torch.nn import functional as F

from mlm_core.embeddings.locating import marked_words
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr

Drawn = TypeVar("Drawn")


@short_repr()
@dataclass(frozen=True, kw_only=True)
class WordSample:
    """Words in their sentences, drawn from a text."""

    words: tuple[MarkedSentence, ...]
    sentence_numbers: tuple[int, ...]  # of each word's sentence

    @property
    def groups(self) -> Int[Tensor, " word"]:
        """Return the sentences' numbers as a tensor."""
        return torch.tensor(self.sentence_numbers)

    def draw(self, n_words: int, rng: Random) -> tuple[int, ...]:
        """Return the numbers of so many of these words, drawn as in sample_words().

        For many draws from one sample, which need the vectors of its words only once.
        """
        by_sentence = _words_by_group(self.sentence_numbers)
        return tuple(sorted(_in_rounds(by_sentence, n_words, rng)))

    def part(self, numbers: Sequence[int]) -> "WordSample":
        """Return the sample that has only the words of these numbers."""
        return WordSample(
            words=tuple(self.words[i] for i in numbers),
            sentence_numbers=tuple(self.sentence_numbers[i] for i in numbers),
        )


@short_repr()
@dataclass(frozen=True, kw_only=True)
class CosineSample:
    """The cosines of random pairs."""

    cosines: Float[Tensor, " pair"]
    pairs: Int[Tensor, "pair 2"]  # numbers of the two words

    @property
    def mean(self) -> float:
        """Return the mean cosine, -1 to 1."""
        return self.cosines.double().mean().item()

    @property
    def standard_error(self) -> float:
        """Return the standard error of the mean, for independent pairs."""
        return self.cosines.double().std().item() / math.sqrt(len(self.cosines))


@short_repr()
@dataclass(frozen=True, kw_only=True)
class DimensionProportions:
    """What each dimension adds to the expected cosine."""

    contributions: Float[Tensor, " hidden"]  # they sum to the mean cosine

    @property
    def mean_cosine(self) -> float:
        """Return the mean over all pairs of different sentences."""
        return self.contributions.sum().item()

    @property
    def proportions(self) -> Float[Tensor, " hidden"]:
        """Return the proportions: they sum to 1, and mean little if the cosine is near 0."""
        return self.contributions / self.contributions.sum()

    @property
    def ranked(self) -> tuple[int, ...]:
        """Return the dimensions' numbers, the largest contribution first."""
        return tuple(self.contributions.argsort(descending=True, stable=True).tolist())

    def n_for_proportion(self, proportion: float) -> int:
        """Return how many of the largest dimensions make up that proportion of the cosine."""
        running = self.contributions[list(self.ranked)].cumsum(dim=0) / self.contributions.sum()
        return int((running < proportion - 1e-12).sum().clamp(max=len(running) - 1)) + 1


def sample_words(sentences: Sequence[str], n_words: int, rng: Random) -> WordSample:
    """Return words drawn at random, about as many from each sentence.

    In each round one more word of every sentence is drawn, until there are n_words or none is
    left; in the last round the sentences are drawn too. So long sentences don't count more than
    short ones, and both estimates above have the same expectation.
    Raises ValueError if there are no two sentences with a word.
    """
    # The same sentence twice is one sentence: a word has cosine 1 with itself.
    texts = list(dict.fromkeys(sentences))
    by_sentence = ([(i, word) for word in marked_words([text])] for i, text in enumerate(texts))
    drawn = _in_rounds(by_sentence, n_words, rng)
    drawn.sort(key=lambda word: (word[0], word[1].start))
    if len({number for number, _ in drawn}) < 2:
        raise ValueError("random pairs come from different sentences: give at least two")
    return WordSample(
        words=tuple(word for _, word in drawn),
        sentence_numbers=tuple(number for number, _ in drawn),
    )


def _in_rounds(groups: Iterable[list[Drawn]], n_drawn: int, rng: Random) -> list[Drawn]:
    """Return so many members, in rounds of one from every group that has more."""
    waiting, drawn = [list(members) for members in groups], []
    while len(drawn) < n_drawn and (waiting := [members for members in waiting if members]):
        rng.shuffle(waiting)
        for members in waiting[: n_drawn - len(drawn)]:
            drawn.append(members.pop(rng.randrange(len(members))))
    return drawn


def _words_by_group(groups: Sequence[int]) -> list[list[int]]:
    members: dict[int, list[int]] = {}
    for word, group in enumerate(groups):
        members.setdefault(group, []).append(word)
    return list(members.values())


def independent_pairs(groups: Sequence[int], rng: Random) -> Int[Tensor, "pair 2"]:
    """Return disjoint pairs, with at most one word of each sentence in all pairs.

    Raises ValueError if there are fewer than four sentences: one pair has no standard error.
    """
    drawn = [rng.choice(words) for words in _words_by_group(groups)]
    if len(drawn) < 4:
        raise ValueError(f"{len(drawn)} sentences: two pairs, the fewest for an error, take four")
    rng.shuffle(drawn)
    n_pairs = len(drawn) // 2
    return torch.tensor(drawn[: 2 * n_pairs]).view(n_pairs, 2)


def random_pairs(groups: Sequence[int], n_pairs: int, rng: Random) -> Int[Tensor, "pair 2"]:
    """Return pairs of words of different sentences, drawn with replacement.

    Raises ValueError if all words are of one sentence.
    """
    if len(set(groups)) < 2:
        raise ValueError("random pairs come from different sentences: give at least two")
    pairs: list[tuple[int, int]] = []
    while len(pairs) < n_pairs:
        first, second = rng.randrange(len(groups)), rng.randrange(len(groups))
        if groups[first] != groups[second]:
            pairs.append((first, second))
    return torch.tensor(pairs).view(n_pairs, 2)


def pair_cosines(
    vectors: Float[Tensor, "word hidden"], pairs: Int[Tensor, "pair 2"]
) -> CosineSample:
    """Return the cosine of each pair; 0 with a vector of zeros."""
    unit = F.normalize(vectors, dim=-1)
    cosines = (unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(dim=-1)
    return CosineSample(cosines=cosines, pairs=pairs)


def dimension_proportions(
    vectors: Float[Tensor, "word hidden"], groups: Int[Tensor, " word"]
) -> DimensionProportions:
    """Return what each dimension adds to the mean cosine of different sentences.

    Raises ValueError if all words are of one sentence.

    >>> vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    >>> dimension_proportions(vectors, torch.tensor([0, 1])).contributions  # 1 * 0.6 and 0 * 0.8
    tensor([0.6000, 0.0000], dtype=torch.float64)
    """
    numbers = torch.unique(groups.to(vectors.device), return_inverse=True)[1]
    counts = torch.bincount(numbers).double()
    if len(counts) < 2:
        raise ValueError("random pairs come from different sentences: give at least two")
    unit = F.normalize(vectors.double(), dim=-1)
    sums = unit.new_zeros(len(counts), unit.shape[1]).index_add_(0, numbers, unit)
    n_pairs = len(unit) ** 2 - counts.square().sum()  # ordered pairs
    return DimensionProportions(
        contributions=(unit.sum(dim=0).square() - sums.square().sum(dim=0)) / n_pairs
    )


def mean_cosines(
    states: Float[Tensor, "layer word hidden"], groups: Int[Tensor, " word"]
) -> tuple[float, ...]:
    """Return each layer's mean cosine over all pairs of different sentences."""
    return tuple(dimension_proportions(vectors, groups).mean_cosine for vectors in states)
