"""Entities that a learner marks: add one, keep them in a link and in new words.

    link      PER:0-2,ORG:5-6       type, first word, one past the last

A word has one tag, so spans may not overlap; a span that can't be added is refused with a reason.

Source: SLP3 section 11.5.2 (one tag a word); the notation in links is ours.

Read before this: bio_tags.py.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from mlm_core.tagging.bio_tags import Span

LONGEST_TYPE = 30  # characters; ../labelled/conll.py takes as many from a file
TYPE = re.compile(rf"[\w.-]{{1,{LONGEST_TYPE}}}")
MARK = re.compile(r"(.+):(\d{1,4})-(\d{1,4})", re.ASCII)


def checked_type(type_: str) -> str:
    """Return an entity type without spaces around it.

    Raises ValueError if it can't stand in a tag and in a link.
    """
    name = type_.strip()
    if not TYPE.fullmatch(name):
        raise ValueError(
            f"the type {name[:40]!r}: name it in 1 to {LONGEST_TYPE} letters, digits, dots or"
            " hyphens, without a space, such as TEAM"
        )
    return name


def add_span(spans: Sequence[Span], new: Span, words: Sequence[str]) -> tuple[Span, ...]:
    """Return the spans and a new one, in order.

    Raises ValueError if it overlaps another or goes beyond the words.

    >>> add_span([Span(start=0, end=2, type="PER")], Span(start=2, end=3, type="ORG"), "a b c d")
    (Span(start=0, end=2, type='PER'), Span(start=2, end=3, type='ORG'))
    """
    if new.end > len(words):
        raise ValueError(
            f"{new.type} from word {new.start} to {new.end - 1}, and the last word is"
            f" {len(words) - 1}: mark words that are there"
        )
    for span in spans:
        if span.start < new.end and new.start < span.end:
            raise ValueError(
                f"“{_quoted(new, words)}” overlaps the {span.type} “{_quoted(span, words)}”:"
                " a word has one tag, so remove that span first"
            )
    return tuple(sorted((*spans, new)))


def spans_to_link(spans: Iterable[Span]) -> str:
    """Return spans in the notation of a link.

    >>> spans_to_link([Span(start=0, end=2, type="PER"), Span(start=5, end=6, type="ORG")])
    'PER:0-2,ORG:5-6'
    """
    return ",".join(f"{span.type}:{span.start}-{span.end}" for span in spans)


def spans_from_link(text: str, words: Sequence[str]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """Return the spans of a link, and its invalid parts.

    >>> spans_from_link("PER:0-2,nonsense", ["Jane", "Villanueva", "spoke"])
    ((Span(start=0, end=2, type='PER'),), ('nonsense',))
    """
    spans: tuple[Span, ...] = ()
    refused = []
    for mark in filter(None, text.split(",")):
        found = MARK.fullmatch(mark)
        try:
            if found is None:
                raise ValueError(f"{mark!r} is no mark: write TYPE:first-end, such as PER:0-2")
            new = Span(start=int(found[2]), end=int(found[3]), type=checked_type(found[1]))
            spans = add_span(spans, new, words)
        except ValueError:
            refused.append(mark)
    return spans, tuple(refused)


def move_spans(
    spans: Sequence[Span], before: Sequence[str], after: Sequence[str]
) -> tuple[Span, ...]:
    """Return the spans whose words did not change, at their new positions.

    The words that both sentences begin with, and those that both end with, are unchanged.

    >>> span = Span(start=1, end=2, type="GPE")
    >>> move_spans([span], ["In", "Oslo", "."], ["Now", "in", "Oslo", "."])
    (Span(start=2, end=3, type='GPE'),)
    """
    head = _n_alike(before, after)
    tail = min(_n_alike(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    shift = len(after) - len(before)
    return tuple(
        span
        if span.end <= head
        else Span(start=span.start + shift, end=span.end + shift, type=span.type)
        for span in sorted(spans)
        if span.end <= head or span.start >= len(before) - tail
    )


def _n_alike(before: Sequence[str], after: Sequence[str]) -> int:
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _quoted(span: Span, words: Sequence[str]) -> str:
    return " ".join(words[span.start : span.end])
