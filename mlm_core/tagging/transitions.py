"""Which tag may follow which, and two ways to repair tags that break the rule.

    may_follow[t, u]   true where tag u may stand right behind tag t
    may_start[t]       true where a sentence may begin with t
    may_end[t]         true where it may end with t

In IO everything is legal. In BIO an I must follow a B or I of its type. In BIOES this holds for
I and E, and a B or I must also be followed by an I or E of its type.

A repair writes legal tags for the spans that one of the two readings sees:

    conlleval  a tag without a beginning begins a span: I-PER after O becomes B-PER
    strict     a span with a fault is dropped: all its tags become O

Source: SLP3 section 11.5.2 for the tags; section 11.5.3 leaves what may follow what to a CRF
layer; seqeval's and conlleval's readings as in bio_tags.py.

Read before this: bio_tags.py.
"""

from collections.abc import Sequence
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
    """Which starts, successions and ends of some tags are legal."""

    tags: tuple[str, ...]
    may_start: Bool[Tensor, " tag"]
    may_follow: Bool[Tensor, "tag next_tag"]
    may_end: Bool[Tensor, " tag"]


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
    """Return whether the second tag may follow the first; None is a sentence border.

    >>> is_legal("B-PER", "I-LOC", "BIO"), is_legal("B-PER", None, "BIOES")
    (False, False)
    """
    # The border of a sentence is treated as an O.
    before, after = (split_tag(t or OUTSIDE, scheme) for t in (tag, next_tag))
    if scheme == "IO" or goes_on(before, after):
        return True
    leaves_open = scheme == "BIOES" and before[0] in "BI"
    needs_begin = after[0] in "IE"
    return not leaves_open and not needs_begin


def faults_in(tags: Sequence[str], scheme: Scheme) -> tuple[Fault, ...]:
    """Return each fault against the rules of the scheme, in order.

    >>> [fault.reason for fault in faults_in(["O", "I-PER"], "BIO")]
    ['I-PER has nothing to continue: it follows O']
    """
    return tuple(fault for run in find_runs(tags, scheme) for fault in run.faults)


def repair(tags: Sequence[str], scheme: Scheme, rule: Reading) -> tuple[str, ...]:
    """Return legal tags for the spans that a reading sees.

    >>> repair(["O", "I-PER", "I-PER"], "BIO", "conlleval")
    ('O', 'B-PER', 'I-PER')
    >>> repair(["O", "I-PER", "I-PER"], "BIO", "strict")
    ('O', 'O', 'O')
    """
    return encode(decode(tags, scheme, rule), len(tags), scheme)
