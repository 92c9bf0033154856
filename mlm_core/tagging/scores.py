"""Precision, recall and F1 by entity, not by word.

    precision = hits / predicted      recall = hits / gold      F1 = 2 hits / (gold + predicted)

A hit has the same first word, last word and type; a part of an entity is no hit. For several
types:

    micro     add the counts of all types, then divide
    macro     the mean over types

The types are those that occur in the gold or the predicted entities.

For comparison the accuracy over words, which is high if most words are O.

Source: SLP3 section 11.5.4; conlleval; seqeval.
Departs: SLP3 counts a non-entity as a response too; conlleval, seqeval and this module count
entities only. Its Jane in place of Jane Villanueva makes two errors in either view, but not the
same two: by words a false positive for O and a false negative for I-PER, both at Villanueva; by
entities a missed Jane Villanueva and a false alarm Jane.

Read before this: decoding.py. Read next: ../finetuning/heads.py; also errors.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from mlm_core.evaluation.bootstrap import Bootstrap, paired_bootstrap
from mlm_core.evaluation.metrics import Counts, Measures
from mlm_core.shapes import Int
from mlm_core.short_repr import short_repr
from mlm_core.tagging.bio_tags import OUTSIDE, Span


@dataclass(frozen=True, kw_only=True)
class TypeScore:
    """One entity type's counts and measures."""

    type: str
    counts: Counts
    measures: Measures


@short_repr("micro", "macro", "by_type")
@dataclass(frozen=True, kw_only=True)
class EntityScores:
    """The scores of all predicted entities, with both kinds of average over types."""

    by_type: tuple[TypeScore, ...]  # in alphabetical order
    counts: Counts  # of all types together
    micro: Measures
    macro: Measures


@dataclass(frozen=True, kw_only=True)
class WordAccuracy:
    """How many words got their gold tag."""

    n_right: int
    n_words: int
    n_gold_outside: int  # words that are O

    @property
    def accuracy(self) -> float:
        """Return the proportion of right words, 0 to 1."""
        return self.n_right / self.n_words

    @property
    def all_outside_accuracy(self) -> float:
        """Return the accuracy of a tagger that tags every word O."""
        return self.n_gold_outside / self.n_words


def score_entities(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]
) -> EntityScores:
    """Return the scores of predicted spans, one sequence of spans a sentence.

    >>> gold = [[Span(start=0, end=2, type="PER"), Span(start=3, end=6, type="ORG")]]
    >>> only_jane = [[Span(start=0, end=1, type="PER"), Span(start=3, end=6, type="ORG")]]
    >>> score_entities(gold, only_jane).micro.f1
    0.5
    """
    together = sum_counts(count_by_sentence(gold, predicted))
    types = types_in(gold, predicted)
    counts = [sum_counts(count_by_sentence(gold, predicted, type_)) for type_ in types]
    by_type = tuple(
        TypeScore(type=type_, counts=count, measures=count.measures)
        for type_, count in zip(types, counts, strict=True)
    )
    micro = together.measures
    # Without any entity both averages are 0/0.
    of_types = [(one.precision, one.recall, one.f1) for one in (c.measures for c in counts)]
    precision, recall, f1 = map(fmean, zip(*of_types, strict=True)) if of_types else (0.0,) * 3
    macro = Measures(precision=precision, recall=recall, f1=f1)
    return EntityScores(by_type=by_type, counts=together, micro=micro, macro=macro)


def count_by_sentence(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]], type_: str | None = None
) -> list[Counts]:
    """Return the counts of each sentence, of one type or (None) of all."""
    if len(gold) != len(predicted):
        raise ValueError(
            f"{len(gold)} gold sentences but {len(predicted)} predicted ones: give the same"
            " sentences in the same order"
        )
    sets = (
        [{span for span in spans if type_ in (None, span.type)} for spans in output]
        for output in (gold, predicted)
    )
    return [
        Counts(n_hits=len(wanted & found), n_gold=len(wanted), n_predicted=len(found))
        for wanted, found in zip(*sets, strict=True)
    ]


def sum_counts(counts: Sequence[Counts]) -> Counts:
    """Return the counts of several sentences or types taken together."""
    return Counts(
        n_hits=sum(count.n_hits for count in counts),
        n_gold=sum(count.n_gold for count in counts),
        n_predicted=sum(count.n_predicted for count in counts),
    )


def count_pairs(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]], types: Sequence[str]
) -> Int[np.ndarray, "sentence type 3"]:
    """Return for each sentence and type the hits, gold and predicted entities."""
    by_type = [count_by_sentence(gold, predicted, type_) for type_ in types]
    rows = [[(c.n_hits, c.n_gold, c.n_predicted) for c in counts] for counts in by_type]
    return np.array(rows, dtype=np.int64).reshape(len(types), len(gold), 3).swapaxes(0, 1)


def types_in(*outputs: Sequence[Sequence[Span]]) -> list[str]:
    """Return the entity types that occur, in alphabetical order."""
    return sorted({span.type for output in outputs for spans in output for span in spans})


def compare_spans(
    gold: Sequence[Sequence[Span]],
    first: Sequence[Sequence[Span]],
    second: Sequence[Sequence[Span]],
    rng: np.random.Generator,
    *,
    n_resamples: int = 1_000,
    n_first: int = 0,
) -> Bootstrap:
    """Test whether one tagger's entities are better than another's in the same sentences."""
    types = types_in(gold, first, second)
    counts = [count_pairs(gold, spans, types) for spans in (first, second)]
    return paired_bootstrap(*counts, n_resamples, rng, n_first=n_first)


def word_accuracy(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> WordAccuracy:
    """Return how many words got their gold tag, one sequence of tags a sentence.

    Raises ValueError unless both have the same words, and at least one.

    >>> word_accuracy([["B-PER", "I-PER", "O"]], [["B-PER", "O", "O"]]).n_right
    2
    """
    lengths, other_lengths = ([len(tags) for tags in output] for output in (gold, predicted))
    if lengths != other_lengths or not sum(lengths):
        raise ValueError(
            f"gold tags for {sum(lengths)} words in {len(lengths)} sentences, predicted ones for"
            f" {sum(other_lengths)} in {len(other_lengths)}: give one tag to each of the same words"
        )
    pairs = [
        pair
        for tags, predicted in zip(gold, predicted, strict=True)
        for pair in zip(tags, predicted, strict=True)
    ]
    return WordAccuracy(
        n_right=sum(tag == predicted for tag, predicted in pairs),
        n_words=len(pairs),
        n_gold_outside=sum(tag == OUTSIDE for tag, _ in pairs),
    )
