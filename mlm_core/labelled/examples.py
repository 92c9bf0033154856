"""Labelled examples: texts with a class, questions with answers, tagged sentences.

    LabelledText     "The soup was cold."                           negative
    LabelledText     "A man sleeps." + "A man is awake."            contradiction
    Question         "Who opened the door?" + passage               characters 18 to 27 of it
    TaggedSentence   Jane Villanueva discussed Chicago              PER: words 0-1, LOC: word 3

A data set has a training part, a test part and perhaps a dev part, on which settings and weights
are chosen; they share no example. The stored data sets were written for this project.

Source: SLP3 section 11.4 (classes, pairs) and 11.5 (tags); Devlin et al. 2019, section 4.2
(answers as a span of the passage).

Read before this: ../tagging/bio_tags.py.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, Literal, TypeVar, get_args

from mlm_core.short_repr import short_repr
from mlm_core.tagging.bio_tags import Span
from mlm_core.text.words import words_of

if TYPE_CHECKING:
    import torch

Kind = Literal["classes", "answers", "tags"]
ScoredPart = Literal["test", "dev"]
SCORED_PARTS: tuple[ScoredPart, ...] = get_args(ScoredPart)


@dataclass(frozen=True, kw_only=True)
class LabelledText:
    """A text, or a pair of texts, and its class."""

    text: str
    pair: str | None = None
    label: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, and its answer as a span of the passage."""

    question: str
    passage: str
    start: int  # first character of the answer in the passage
    stop: int  # one past the last

    def __post_init__(self) -> None:
        """Refuse an answer that is no span of the passage."""
        if not 0 <= self.start < self.stop <= len(self.passage):
            raise ValueError(
                f"an answer at characters {self.start} to {self.stop} of a passage of"
                f" {len(self.passage)}: give a stretch of the passage"
            )

    @property
    def answer(self) -> str:
        """Return the answer's text."""
        return self.passage[self.start : self.stop]


@dataclass(frozen=True, kw_only=True)
class TaggedSentence:
    """A sentence's words and its entities."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]

    def __post_init__(self) -> None:
        """Refuse spans that overlap or go beyond the words."""
        if not self.words or not all(self.words):
            raise ValueError("a sentence without words, or with an empty one: leave it out")
        in_order = sorted(self.spans)
        overlap = any(after.start < before.end for before, after in pairwise(in_order))
        if overlap or (in_order and in_order[-1].end > len(self.words)):
            raise ValueError("spans that overlap or go beyond the words: a word has one tag")


Example = LabelledText | Question | TaggedSentence
NUMBERS = re.compile(r"\d+")
OneKind = TypeVar("OneKind", bound=Example, covariant=True)


@short_repr()
@dataclass(frozen=True, kw_only=True)
class Dataset(Generic[OneKind]):
    """Examples of one kind: a training and a test part, and a dev part that may be empty."""

    kind: Kind
    classes: tuple[str, ...]  # labels, or entity types; none for answers
    train: tuple[OneKind, ...]
    test: tuple[OneKind, ...]
    dev: tuple[OneKind, ...] = ()  # to choose settings and the best weights on

    def __post_init__(self) -> None:
        """Refuse data from which nothing can be learnt."""
        if not self.train or not self.test:
            raise ValueError(
                f"{len(self.train)} examples to learn from and {len(self.test)} to test on: give"
                " at least one of each"
            )
        if self.kind == "classes" and len(self.classes) < 2:
            raise ValueError(
                f"only one class ({', '.join(self.classes)}): there is nothing to tell apart,"
                " give examples of at least two"
            )
        if self.kind == "tags" and not self.classes:
            raise ValueError("no entity in any sentence: mark at least one")

    @property
    def watched(self) -> ScoredPart:
        """Return the part that is scored during training: dev, or test where there is none."""
        return "dev" if self.dev else "test"

    @property
    def has_pairs(self) -> bool:
        """Return whether the model reads two texts at once."""
        first = self.train[0]
        return isinstance(first, Question) or (
            isinstance(first, LabelledText) and first.pair is not None
        )

    def fewer(self, n_examples: int, generator: "torch.Generator") -> "Dataset[OneKind]":
        """Return the data with `n_examples` for training, drawn without replacement.

        Classes are drawn in turn, so their numbers are as equal as they can be. The test part
        stays.
        """
        if n_examples < 1:
            raise ValueError(f"{n_examples} examples: take at least 1")
        import torch

        order = torch.randperm(len(self.train), generator=generator).tolist()
        if self.kind == "classes":
            # An example's turn is the number of earlier ones of its class.
            turns: Counter[str] = Counter()
            turn_of = {}
            for i in order:
                example = self.train[i]
                assert isinstance(example, LabelledText)
                turn_of[i] = turns[example.label]
                turns[example.label] += 1
            order.sort(key=turn_of.__getitem__)
        return replace(self, train=tuple(self.train[i] for i in order[:n_examples]))


def giveaway(data: Dataset[LabelledText]) -> tuple[str, str] | None:
    """Return a class and a word that all its texts have, and no others: perhaps the answer itself.

    None if no word is such a one.
    """
    words: dict[str, list[set[str]]] = {}
    for one in (*data.train, *data.dev, *data.test):
        words.setdefault(one.label, []).append({*words_of(f"{one.text} {one.pair or ''}")})
    for label, of in words.items():
        others = set().union(*(one for name in words.keys() - {label} for one in words[name]))
        if common := set.intersection(*of) - others:
            return label, min(common)
    return None


def near_copies(data: Dataset[LabelledText]) -> int:
    """Return how many test texts differ from training texts in numbers alone."""

    def without_numbers(one: LabelledText) -> str:
        return NUMBERS.sub("0", f"{one.text} {one.pair or ''}".casefold())

    learnt = set(map(without_numbers, data.train))
    return sum(without_numbers(one) in learnt for one in data.test)
