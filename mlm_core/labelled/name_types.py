"""One name with several types: a person, a team, a city, a government.

    Washington   PER  "Washington crossed the river"
                 ORG  "Washington won by a point"
                 GPE  "Washington voted on the tax"

A list of names can't tell these apart, since the name is the same each time; the context can.

Source: SLP3 section 11.5.1, Fig 11.11. Departs: its sentences are not used; ours are counted.

Read before this: examples.py, ../tagging/scores.py.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlm_core.labelled.examples import TaggedSentence
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, Span, decode, split_tag


@dataclass(frozen=True, kw_only=True)
class Mention:
    """One occurrence of a name as an entity."""

    sentence: int  # its index
    span: Span


@dataclass(frozen=True, kw_only=True)
class Name:
    """Words that are an entity somewhere, with all their mentions."""

    text: str  # "New York"
    mentions: tuple[Mention, ...]

    @functools.cached_property
    def types(self) -> tuple[str, ...]:
        """Return its types, in the order in which they first occur."""
        return tuple(dict.fromkeys(mention.span.type for mention in self.mentions))


@dataclass(frozen=True, kw_only=True)
class MentionCount:
    """How many mentions a tagger got right, in words and type."""

    n: int
    n_right: int


def find_names(sentences: Sequence[TaggedSentence]) -> tuple[Name, ...]:
    """Return every name with its mentions, in the order in which they first occur."""
    found: dict[str, list[Mention]] = {}
    for i, sentence in enumerate(sentences):
        for span in sorted(sentence.spans):
            text = " ".join(sentence.words[span.start : span.end])
            found.setdefault(text, []).append(Mention(sentence=i, span=span))
    return tuple(Name(text=text, mentions=tuple(mentions)) for text, mentions in found.items())


def ambiguous_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the names with more than one type: most types first, then most mentions.

    >>> per = TaggedSentence(words=("Paris", "sang"), spans=(Span(start=0, end=1, type="PER"),))
    >>> gpe = TaggedSentence(words=("In", "Paris"), spans=(Span(start=1, end=2, type="GPE"),))
    >>> [(name.text, name.types) for name in ambiguous_names(find_names([per, gpe]))]
    [('Paris', ('PER', 'GPE'))]
    """
    several = [name for name in names if len(name.types) > 1]
    return tuple(
        sorted(several, key=lambda name: (-len(name.types), -len(name.mentions), name.text))
    )


def examples_of(names: Iterable[Name], type_: str, n: int) -> tuple[str, ...]:
    """Return the n most frequent names of a type, of those that have no other type."""
    of_type = [name for name in names if name.types == (type_,)]
    of_type.sort(key=lambda name: -len(name.mentions))  # stable: the first stays first
    return tuple(name.text for name in of_type[:n])


def predicted_type(tags: Sequence[str], span: Span, scheme: Scheme) -> str | None:
    """Return the type that tags give to exactly these words, or None.

    >>> predicted_type(["B-PER", "I-PER", "O"], Span(start=0, end=2, type="ORG"), "BIO")
    'PER'
    """
    for read in decode(tags, scheme, "conlleval"):
        if (read.start, read.end) == (span.start, span.end):
            return read.type
    return None


def overlaps(tags: Sequence[str], span: Span, scheme: Scheme) -> tuple[str, ...]:
    """Return the types that tags give to any of these words."""
    inside = (tag for tag in tags[span.start : span.end] if tag != OUTSIDE)
    return tuple(dict.fromkeys(split_tag(tag, scheme)[1] for tag in inside))


def count_right(
    mentions: Iterable[Mention], predicted: Sequence[Sequence[str]], scheme: Scheme
) -> MentionCount:
    """Return how many mentions are right; `predicted` are each sentence's tags."""
    is_right = [
        predicted_type(predicted[mention.sentence], mention.span, scheme) == mention.span.type
        for mention in mentions
    ]
    return MentionCount(n=len(is_right), n_right=sum(is_right))
