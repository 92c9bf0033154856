"""Spans and tags for hypothesis to invent: legal ones, and any at all."""

from hypothesis import strategies as st

from mlm_core.tagging.bio_tags import SCHEMES, Span, tags_of

TYPES = ["PER", "LOC", "ORG"]
# Made here and not while drawing: beartype's checks use `random`, which hypothesis forbids there.
TAGS = {scheme: tags_of(TYPES[:2], scheme) for scheme in SCHEMES}


@st.composite
def sentences_with_spans(draw):
    """Give the number of words and spans that don't overlap, often touching, in any order."""
    gaps_and_sizes = draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(TYPES)))
    )
    spans, end = [], 0
    for gap, size, type_ in gaps_and_sizes:
        spans.append(Span(start=end + gap, end=end + gap + size, type=type_))
        end += gap + size
    return end + draw(st.integers(0, 3)), draw(st.permutations(spans))


def any_tags(scheme, max_size=9):
    """Give tags of a scheme drawn one by one, so that most sequences break its rules."""
    return st.lists(st.sampled_from(TAGS[scheme]), max_size=max_size)


@st.composite
def two_outputs(draw, scheme):
    """Give gold and predicted tags of the same sentences, the predicted ones often nearly right."""
    gold = draw(st.lists(any_tags(scheme), min_size=1, max_size=4))
    tag = st.sampled_from(TAGS[scheme])
    predicted = [[draw(st.one_of(st.just(right), tag)) for right in tags] for tags in gold]
    return gold, predicted
