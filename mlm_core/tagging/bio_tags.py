"""From spans to one tag a word, and from tags to spans.

    words    Jane    Villanueva  of  United  Airlines  Holding  discussed  Chicago
    IO       I-PER   I-PER       O   I-ORG   I-ORG     I-ORG    O          I-LOC
    BIO      B-PER   I-PER       O   B-ORG   I-ORG     I-ORG    O          B-LOC
    BIOES    B-PER   E-PER       O   B-ORG   I-ORG     E-ORG    O          S-LOC

B begins a span, I is inside it, E ends it, S is a span of a single word, O is outside.
For n types there are n + 1, 2n + 1 and 4n + 1 tags.

Tags that a model predicts one by one can be illegal: I-PER may follow O. Two readings of such
tags are common, and the scores depend on the choice:

    conlleval  every tag but O belongs to a span. A span continues while a B or I is followed by
               an I or E of its type; every other tag begins a new one
    strict     of those spans, only the ones that begin and end as the scheme demands

The strict spans are always among conlleval's; where all tags are legal both are equal.

Source: SLP3 section 11.5.2 and Fig 11.12; Ramshaw & Marcus 1995 (BIO); the chunk rules of the
CoNLL-2000 script conlleval; seqeval's `scheme` module for the strict reading.
Departs: conlleval has no S, and no border between an E and a B of the same type; its reading of
BIOES is here that of seqeval.

Read before this: ../embeddings/isotropy.py. Read next: decoding.py; also transitions.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

Scheme = Literal["IO", "BIO", "BIOES"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
Reading = Literal["conlleval", "strict"]
READINGS: tuple[Reading, ...] = get_args(Reading)
OUTSIDE = "O"


@dataclass(frozen=True, kw_only=True, order=True)
class Span:
    """An entity: consecutive words and their type."""

    start: int  # first word, counted from 0
    end: int  # one past the last word
    type: str  # "PER"

    def __post_init__(self) -> None:
        """Refuse a span without words or without a type."""
        if not 0 <= self.start < self.end:
            raise ValueError(
                f"a span from word {self.start} to {self.end}: it starts at 0 or later and ends"
                " behind its start, since `end` is one past its last word"
            )
        if not self.type:
            raise ValueError("a span without a type: name one, such as PER")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A tag at which a span breaks the rules of its scheme."""

    position: int  # the word whose tag it is
    kind: Literal["no_begin", "no_end"]
    reason: str  # a sentence for the reader


@dataclass(frozen=True, kw_only=True)
class Run:
    """A span as conlleval reads it, with its faults in the strict reading."""

    span: Span
    faults: tuple[Fault, ...]  # none: it is a span in both readings


@dataclass(frozen=True, kw_only=True)
class Loss:
    """Spans that a scheme can't separate, and the one that is decoded instead."""

    spans: tuple[Span, ...]
    read_as: Span


def n_tags(n_types: int, scheme: Scheme) -> int:
    """Return how many tags a scheme has for so many entity types.

    >>> [n_tags(4, scheme) for scheme in SCHEMES]
    [5, 9, 17]
    """
    if n_types < 0:
        raise ValueError(f"{n_types} entity types: give 0 or more")
    return len(prefixes(scheme)) * n_types + 1


def tags_of(types: Sequence[str], scheme: Scheme) -> tuple[str, ...]:
    """Return every tag of a scheme: O first, then type by type.

    >>> tags_of(["PER", "LOC"], "BIO")
    ('O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC')
    """
    if len(set(types)) < len(types):
        raise ValueError(f"types {', '.join(types)}: name each once")
    return OUTSIDE, *(f"{prefix}-{type_}" for type_ in types for prefix in prefixes(scheme))


def prefixes(scheme: Scheme) -> str:
    """Return the letters that a scheme writes before a type.

    Raises ValueError for an unknown scheme.
    """
    if scheme not in SCHEMES:
        raise ValueError(f"scheme {scheme!r}: choose one of {', '.join(SCHEMES)}")
    return {"IO": "I", "BIO": "BI", "BIOES": "BIES"}[scheme]


def split_tag(tag: str, scheme: Scheme) -> tuple[str, str]:
    """Return a tag's letter and its type, which is empty for O.

    >>> split_tag("B-PER", "BIO"), split_tag("O", "BIO")
    (('B', 'PER'), ('O', ''))
    """
    letters = prefixes(scheme)
    if tag == OUTSIDE:
        return OUTSIDE, ""
    prefix, hyphen, type_ = tag.partition("-")
    if not (hyphen and type_) or prefix not in tuple(letters):
        expected = ", ".join(f"{letter}-" for letter in letters)
        raise ValueError(
            f"{tag!r} is no {scheme} tag: write O, or {expected} and a type, such as"
            f" {letters[0]}-PER"
        )
    return prefix, type_


def encode(spans: Sequence[Span], n_words: int, scheme: Scheme) -> tuple[str, ...]:
    """Return one tag a word.

    Raises ValueError for spans that overlap or go beyond the words: a word has one tag.

    >>> encode([Span(start=0, end=2, type="PER"), Span(start=2, end=3, type="PER")], 4, "BIO")
    ('B-PER', 'I-PER', 'B-PER', 'O')
    """
    tags = [OUTSIDE] * n_words
    for span in _checked(spans, n_words):
        for word in range(span.start, span.end):
            tags[word] = f"{_prefix_at(word, span, prefixes(scheme))}-{span.type}"
    return tuple(tags)


def decode(tags: Sequence[str], scheme: Scheme, reading: Reading) -> tuple[Span, ...]:
    """Return the spans of the tags in one of the two readings.

    >>> decode(["I-PER", "I-PER", "O", "B-PER"], "BIO", "strict")
    (Span(start=3, end=4, type='PER'),)
    """
    if reading not in READINGS:
        raise ValueError(f"reading {reading!r}: choose one of {', '.join(READINGS)}")
    runs = find_runs(tags, scheme)
    return tuple(run.span for run in runs if reading == "conlleval" or not run.faults)


def find_runs(tags: Sequence[str], scheme: Scheme) -> tuple[Run, ...]:
    """Return conlleval's spans, each with its faults in the strict reading."""
    parts = [split_tag(tag, scheme) for tag in tags]
    starts = [
        i
        for i, part in enumerate(parts)
        if part[0] != OUTSIDE and not (i and goes_on(parts[i - 1], part))
    ]
    runs = []
    for start in starts:
        end = start + 1
        while end < len(parts) and goes_on(parts[end - 1], parts[end]):
            end += 1
        faults = tuple(_faults(tags, start, end, scheme))
        runs.append(Run(span=Span(start=start, end=end, type=parts[start][1]), faults=faults))
    return tuple(runs)


def goes_on(before: tuple[str, str], after: tuple[str, str]) -> bool:
    """Return whether the second of two split tags continues the span of the first."""
    return before[1] == after[1] and before[0] in "BI" and after[0] in "IE"


def lost_by(spans: Sequence[Span], n_words: int, scheme: Scheme) -> tuple[Loss, ...]:
    """Return the spans that are lost: IO merges adjacent spans of one type.

    >>> touching = [Span(start=0, end=2, type="PER"), Span(start=2, end=3, type="PER")]
    >>> [loss.read_as for loss in lost_by(touching, 4, "IO")]
    [Span(start=0, end=3, type='PER')]
    """
    back = decode(encode(spans, n_words, scheme), scheme, "conlleval")
    return tuple(
        Loss(
            spans=tuple(s for s in sorted(spans) if read.start <= s.start and s.end <= read.end),
            read_as=read,
        )
        for read in back
        if read not in spans
    )


def _checked(spans: Sequence[Span], n_words: int) -> list[Span]:
    in_order = sorted(spans)
    for before, after in pairwise(in_order):
        if after.start < before.end:
            raise ValueError(
                f"{_told(before)} and {_told(after)} overlap: a word has one tag, so keep one"
                " of them"
            )
    for span in in_order:
        if span.end > n_words:
            raise ValueError(
                f"{_told(span)} in a sentence of {n_words} words: `end` may be {n_words} at most"
            )
    return in_order


def _told(span: Span) -> str:
    return f"{span.type} from word {span.start} to {span.end}"


def _prefix_at(word: int, span: Span, letters: str) -> str:
    is_first, is_last = word == span.start, word == span.end - 1
    wanted = "S" if is_first and is_last else "B" if is_first else "E" if is_last else "I"
    # Without S a span of one word begins with B; without B and E all words are inside.
    return next(letter for letter in (wanted, "B" if is_first else "I", "I") if letter in letters)


def _faults(tags: Sequence[str], start: int, end: int, scheme: Scheme) -> Iterator[Fault]:
    letters = prefixes(scheme)
    first, last = tags[start], tags[end - 1]
    if "B" in letters and first[0] in "IE":
        before = f"it follows {tags[start - 1]}" if start else "it is the first word"
        reason = f"{first} has nothing to continue: {before}"
        yield Fault(position=start, kind="no_begin", reason=reason)
    if "E" in letters and last[0] in "BI":
        after = f"{tags[end]} follows" if end < len(tags) else "it is the last word"
        reason = f"{last} leaves its span without an end: {after}"
        yield Fault(position=end - 1, kind="no_end", reason=reason)
