"""Next-sentence examples one at a time, with every random decision.

    draw A      any sentence that has a next one in its document
    draw B      with probability 0.5 the next sentence, else one of another document
    truncate    too long for the window: token by token from the longer of the two
    order test  one A with four Bs, to see whether a model judges order or topic

Source: Devlin et al. 2019, section 3.1 and appendix A.2; SLP3 section 11.2.2;
create_pretraining_data.py in google-research/bert for the truncation. Lan et al. 2020,
section 3.1, for the swapped pairs (sentence order prediction).
Departs: A and B are one sentence each, where BERT fills the window with several; a random B
is never the first sentence of its document, since a true B is never one and the model
would learn to recognize first sentences; nor is it from A's document.

Read before this: ../text/corpora.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, get_args

FOLLOWS, IS_RANDOM = 0, 1  # the classes of the next-sentence head, as in transformers
Kind = Literal["next", "swapped", "same_document", "other_document"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, kw_only=True)
class SentenceIndex:
    """The number of a document and of a sentence in it; both from 0."""

    document: int
    sentence: int


@dataclass(frozen=True, kw_only=True)
class PairExample:
    """One pair, and the random numbers that it was made with."""

    first: SentenceIndex
    second: SentenceIndex
    first_text: str
    second_text: str
    toss: float  # from 0 to 1; below the random rate B is of another document
    label: int  # FOLLOWS or IS_RANDOM


@dataclass(frozen=True, kw_only=True)
class Removal:
    """One token that truncation took away."""

    text: int  # 0: from A, 1: from B
    from_front: bool
    position: int  # in its text before any truncation
    n_first: int  # tokens that A and B have left
    n_second: int


@dataclass(frozen=True, kw_only=True)
class Truncation:
    """The tokens of a pair that are kept, and every removal."""

    first: range  # positions kept
    second: range
    removals: tuple[Removal, ...]


def draw_pair(
    documents: Sequence[Sequence[str]], rng: Random, *, random_rate: float = 0.5
) -> PairExample:
    """Return one example, of the documents with at least two sentences.

    `random_rate` is the proportion of pairs whose B comes from another document.
    Raises ValueError if fewer than two documents have two sentences, or a rate is not from 0 to 1.

    >>> draw_pair([["a", "b"], ["c", "d"]], Random(0), random_rate=0.0).label == FOLLOWS
    True
    """
    if not 0 <= random_rate <= 1:
        raise ValueError(f"random_rate is {random_rate}: a share from 0 to 1")
    usable = [d for d, sentences in enumerate(documents) if len(sentences) >= 2]
    if len(usable) < 2:
        raise ValueError(
            f"{len(usable)} of {len(documents)} documents have two sentences or more, but a pair"
            " needs two such documents, one for A and another for a random B: add one, with a"
            " blank line between documents"
        )
    starts = [
        SentenceIndex(document=d, sentence=s) for d in usable for s in range(len(documents[d]) - 1)
    ]
    first = before = rng.choice(starts)
    toss, label = rng.random(), FOLLOWS
    if toss < random_rate:
        before = rng.choice([start for start in starts if start.document != first.document])
        label = IS_RANDOM
    # B follows a start in both cases: a random B is no first sentence either.
    second = replace(before, sentence=before.sentence + 1)
    return PairExample(
        first=first,
        second=second,
        first_text=documents[first.document][first.sentence],
        second_text=documents[second.document][second.sentence],
        toss=toss,
        label=label,
    )


def draw_order_test(documents: Sequence[Sequence[str]], rng: Random) -> dict[Kind, tuple[str, str]]:
    """Return a pair of each kind, of one A: only the first kind is a true pair.

    next, the sentence after A; swapped, the same two in the wrong order; same_document, a
    sentence of A's document that is no neighbour of A; other_document, as in `draw_pair`.
    Raises ValueError if no document has a sentence that is no neighbour of A, or there is
    no other one.

    >>> draw_order_test([["a", "b", "c"], ["d", "e"]], Random(0))["same_document"]
    ('a', 'c')
    """
    firsts = [
        (d, s, far)
        for d, sentences in enumerate(documents)
        for s in range(len(sentences) - 1)
        if (far := [t for t in range(len(sentences)) if abs(t - s) > 1])
    ]
    d, s, far = rng.choice(firsts) if firsts else (0, 0, [])
    others = [one for e, sentences in enumerate(documents) if e != d for one in sentences[1:]]
    if not far or not others:
        raise ValueError(
            "an order test needs a document of three sentences or more and another one of two or"
            " more: add sentences, with a blank line between documents"
        )
    sentences = documents[d]
    first, after = sentences[s], sentences[s + 1]
    return {
        "next": (first, after),
        "swapped": (after, first),
        "same_document": (first, sentences[rng.choice(far)]),
        "other_document": (first, rng.choice(others)),
    }


def truncate_pair(n_first: int, n_second: int, room: int, rng: Random) -> Truncation:
    """Return the tokens of A and B that stay if only `room` fit, without special ones.

    While both together are too long, a token of the longer one (B if they are equal) is removed,
    at random from its front or its end.
    Raises ValueError for a negative room.

    >>> truncate_pair(5, 2, 5, Random(1)).second
    range(0, 2)
    """
    if room < 0:
        raise ValueError(f"room for {room} tokens: the window must hold the special tokens first")
    kept = [[0, n_first], [0, n_second]]
    removals = []
    while sum(stop - start for start, stop in kept) > room:
        lengths = [stop - start for start, stop in kept]
        text = 0 if lengths[0] > lengths[1] else 1
        from_front = rng.random() < 0.5
        position = kept[text][0] if from_front else kept[text][1] - 1
        kept[text][0 if from_front else 1] += 1 if from_front else -1
        lengths[text] -= 1
        removals.append(
            Removal(
                text=text,
                from_front=from_front,
                position=position,
                n_first=lengths[0],
                n_second=lengths[1],
            )
        )
    return Truncation(first=range(*kept[0]), second=range(*kept[1]), removals=tuple(removals))
