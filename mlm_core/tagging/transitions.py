"""Which tag may follow which, and two ways to mend tags that break the rule.

    may_follow[t, u]   true where tag u may stand right behind tag t
    may_start[t]       true where a sentence may begin with t
    may_end[t]         true where it may end with t

In IO everything is legal. In BIO only I needs something before it: a B or I of its type. In
BIOES the same holds for I and E, and a B or I must also be followed by an I or E of its type.

A repair is named after the reading it serves. It writes tags that both readings take for what
that reading had seen all along:

    conlleval  a stray tag keeps its word in a span: I-PER behind O becomes B-PER
    strict     a span with a fault is given up: all its tags become O

Source: SLP3 section 11.5.2 for the tags; section 11.5.3 leaves what may follow what to a CRF
layer; seqeval's and conlleval's readings as in bio_tags.py.

Read before this: bio_tags.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from mlm_core.shapes import Bool, Tensor
from mlm_core.tagging.bio_tags import (
    OUTSIDE,
    Fault,
    Reading,
    Scheme,
    decode,
    encode,
    find_runs,
    goes_on,
    split_tag,
)


@dataclass(frozen=True, kw_only=True)
class Transitions:
    """What is legal among some tags."""

    tags: tuple[str, ...]
    may_start: Bool[Tensor, " tag"]
    may_follow: Bool[Tensor, "tag next_tag"]
    may_end: Bool[Tensor, " tag"]


@dataclass(frozen=True, kw_only=True)
class Change:
    """What a repair did to one word's tag."""

    position: int
    before: str
    after: str
    reason: str  # a sentence for the reader


@dataclass(frozen=True, kw_only=True)
class Repair:
    """Tags that break no rule any more, and each change on the way."""

    tags: tuple[str, ...]
    changes: tuple[Change, ...]


def legal_transitions(tags: Sequence[str], scheme: Scheme) -> Transitions:
    """Return what may start, follow and end, for these tags in this order.

    Raises ValueError for a tag that is not of the scheme.

    >>> legal_transitions(["O", "B-PER", "I-PER"], "BIO").may_follow.int()
    tensor([[1, 1, 0],
            [1, 1, 1],
            [1, 1, 1]], dtype=torch.int32)
    """
    rows = [[is_legal(tag, next_tag, scheme) for next_tag in tags] for tag in tags]
    return Transitions(
        tags=tuple(tags),
        may_start=torch.tensor([is_legal(None, tag, scheme) for tag in tags], dtype=torch.bool),
        may_follow=torch.tensor(rows, dtype=torch.bool).reshape(len(tags), len(tags)),
        may_end=torch.tensor([is_legal(tag, None, scheme) for tag in tags], dtype=torch.bool),
    )


def is_legal(tag: str | None, next_tag: str | None, scheme: Scheme) -> bool:
    """Return whether the second tag may follow the first; None is the border of the sentence.

    >>> is_legal("B-PER", "I-LOC", "BIO"), is_legal("B-PER", None, "BIOES")
    (False, False)
    """
    # Before the first word and behind the last it is as if an O stood there.
    before, after = (split_tag(t or OUTSIDE, scheme) for t in (tag, next_tag))
    if scheme == "IO" or goes_on(before, after):
        return True
    leaves_open = scheme == "BIOES" and before[0] in "BI"
    needs_begin = after[0] in "IE"
    return not leaves_open and not needs_begin


def faults_in(tags: Sequence[str], scheme: Scheme) -> tuple[Fault, ...]:
    """Return each place where the tags break the rules of their scheme, in order.

    >>> [fault.reason for fault in faults_in(["O", "I-PER"], "BIO")]
    ['I-PER has nothing to continue: it follows O']
    """
    return tuple(fault for run in find_runs(tags, scheme) for fault in run.faults)


def repair(tags: Sequence[str], scheme: Scheme, rule: Reading) -> Repair:
    """Return legal tags for the spans that a reading sees, and why each tag had to change.

    >>> repair(["O", "I-PER", "I-PER"], "BIO", "conlleval").tags
    ('O', 'B-PER', 'I-PER')
    >>> repair(["O", "I-PER", "I-PER"], "BIO", "strict").tags
    ('O', 'O', 'O')
    """
    mended = encode(decode(tags, scheme, rule), len(tags), scheme)
    changes = []
    for run in find_runs(tags, scheme):
        for position in range(run.span.start, run.span.end):
            if tags[position] == mended[position]:
                continue
            change = Change(
                position=position,
                before=tags[position],
                after=mended[position],
                reason="; ".join(_reasons(run.faults, position, rule)),
            )
            changes.append(change)
    return Repair(tags=mended, changes=tuple(changes))


def _reasons(faults: Sequence[Fault], position: int, rule: Reading) -> Iterator[str]:
    for fault in faults:
        if fault.position == position:
            yield fault.reason
        elif rule == "strict":  # gives up the whole span for a fault at one of its ends
            yield f"its span has a fault at word {fault.position}: {fault.reason}"
