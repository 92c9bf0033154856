"""Errors by entity: six outcomes, and where the two readings disagree.

Every gold and every predicted entity has exactly one outcome:

    hit               gold and predicted: same words, same type
    wrong_type        both: same words, another type
    wrong_boundary    both: same type, and they share a word
    wrong_both        both: they share a word, and neither words nor type agree
    missed            gold only: no predicted entity shares a word, or it has another partner
    false_alarm       predicted only

In scores.py each of the three wrong outcomes counts as one missed entity and one false alarm.
Jane for Jane Villanueva is a wrong boundary: two errors.

Where the tags of a span break the rules of the scheme, conlleval reads a span and the strict
reading none, so a hit of conlleval is a miss in the strict reading.

Source: SLP3 section 11.5.4. The kinds are ours, after the MUC-5 classes of Chinchor & Sundheim
1993; conlleval and seqeval only count.

Read before this: scores.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.tagging.bio_tags import Fault, Run, Scheme, Span, find_runs

Kind = Literal["hit", "wrong_type", "wrong_boundary", "wrong_both", "missed", "false_alarm"]
Side = Literal["gold", "predicted"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One entity, or a pair of a gold and a predicted one, and the kind of outcome."""

    sentence: int
    kind: Kind
    gold: Span | None
    predicted: Span | None

    @property
    def is_miss(self) -> bool:
        """Return whether it counts as a missed gold entity."""
        return self.gold is not None and self.kind != "hit"

    @property
    def is_false_alarm(self) -> bool:
        """Return whether it counts as a false alarm."""
        return self.predicted is not None and self.kind != "hit"


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A span that conlleval reads and the strict reading does not."""

    sentence: int
    side: Side  # whose tags they are
    span: Span
    faults: tuple[Fault, ...]  # the tags that make the difference, and why
    conlleval: Literal["hit", "missed", "false_alarm"]  # what it counts there
    strict: Literal["missed", "false_alarm"] | None  # of the other side's span; None: nothing
    effect: str  # a sentence for the reader


def list_outcomes(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]
) -> tuple[Outcome, ...]:
    """Return every hit, miss and false alarm, in the order of the words.

    >>> jane = [[Span(start=0, end=2, type="PER")]], [[Span(start=0, end=1, type="PER")]]
    >>> [outcome.kind for outcome in list_outcomes(*jane)]
    ['wrong_boundary']
    """
    if len(gold) != len(predicted):
        raise ValueError(
            f"{len(gold)} gold sentences but {len(predicted)} predicted ones: give the same"
            " sentences in the same order"
        )
    return tuple(
        outcome
        for sentence, (wanted, found) in enumerate(zip(gold, predicted, strict=True))
        for outcome in sorted(_outcomes(sentence, wanted, found), key=_first_word)
    )


def _outcomes(
    sentence: int, wanted: Sequence[Span], predicted: Sequence[Span]
) -> Iterator[Outcome]:
    left, left_predicted = sorted(set(wanted)), sorted(set(predicted))
    touching = [(g, p) for g in left for p in left_predicted if _n_shared(g, p)]
    # The most similar pairs first.
    for g, p in sorted(touching, key=lambda pair: _distance(*pair)):
        if g in left and p in left_predicted:
            left.remove(g)
            left_predicted.remove(p)
            yield Outcome(sentence=sentence, kind=_kind(g, p), gold=g, predicted=p)
    for g in left:
        yield Outcome(sentence=sentence, kind="missed", gold=g, predicted=None)
    for p in left_predicted:
        yield Outcome(sentence=sentence, kind="false_alarm", gold=None, predicted=p)


def _kind(gold: Span, predicted: Span) -> Kind:
    same_words = (gold.start, gold.end) == (predicted.start, predicted.end)
    if same_words:
        return "hit" if gold.type == predicted.type else "wrong_type"
    return "wrong_boundary" if gold.type == predicted.type else "wrong_both"


def _n_shared(gold: Span, predicted: Span) -> int:
    return max(0, min(gold.end, predicted.end) - max(gold.start, predicted.start))


def _distance(gold: Span, predicted: Span) -> tuple[int, int, Span, Span]:
    order = ("hit", "wrong_type", "wrong_boundary", "wrong_both")
    return order.index(_kind(gold, predicted)), -_n_shared(gold, predicted), gold, predicted


def _first_word(outcome: Outcome) -> tuple[int, bool]:
    starts = [span.start for span in (outcome.gold, outcome.predicted) if span is not None]
    return min(starts), outcome.gold is None


def list_disagreements(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], scheme: Scheme
) -> tuple[Disagreement, ...]:
    """Return every span that only conlleval reads, and its effect on the counts.

    >>> found = list_disagreements([["B-PER", "O"]], [["I-PER", "O"]], "BIO")
    >>> found[0].effect
    'conlleval counts a hit; strict sees no predicted PER here and counts a missed entity'
    """
    lengths, other_lengths = ([len(tags) for tags in output] for output in (gold, predicted))
    if lengths != other_lengths:
        raise ValueError(
            f"gold tags for sentences of {lengths} words, predicted ones for {other_lengths}: give"
            " one tag to each of the same words"
        )
    found = []
    for sentence, tags in enumerate(zip(gold, predicted, strict=True)):
        gold_runs, predicted_runs = (find_runs(one, scheme) for one in tags)
        both = (("gold", gold_runs, predicted_runs), ("predicted", predicted_runs, gold_runs))
        for side, own, other in both:
            opposite = {run.span: run for run in other}
            found += [
                _disagreement(sentence, side, run, opposite.get(run.span))
                for run in own
                if run.faults
            ]
    return tuple(found)


def _disagreement(sentence: int, side: Side, run: Run, opposite: Run | None) -> Disagreement:
    alone = "missed" if side == "gold" else "false_alarm"
    counterpart = "false_alarm" if side == "gold" else "missed"
    # The strict reading has no counterpart with a fault either, so it counts nothing.
    strict = counterpart if opposite is not None and not opposite.faults else None
    conlleval = alone if opposite is None else "hit"
    told = {"hit": "a hit", "missed": "a missed entity", "false_alarm": "a false alarm"}
    counted = f"counts {told[strict]}" if strict else "counts nothing"
    sees_no = "sees no gold" if side == "gold" else "sees no predicted"
    return Disagreement(
        sentence=sentence,
        side=side,
        span=run.span,
        faults=run.faults,
        conlleval=conlleval,
        strict=strict,
        effect=f"conlleval counts {told[conlleval]}; strict {sees_no} {run.span.type} here"
        f" and {counted}",
    )
