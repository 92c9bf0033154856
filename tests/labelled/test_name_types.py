"""One name, several types: found, counted by hand, and compared with what tags say."""

import pytest

from mlm_core.labelled.examples import TaggedSentence
from mlm_core.labelled.name_types import (
    Mention,
    MentionCount,
    ambiguous_names,
    count_right,
    examples_of,
    find_names,
    overlaps,
    predicted_type,
)
from mlm_core.tagging.bio_tags import Span


def sentence(text, *spans):
    spans = tuple(Span(start=a, end=b, type=type_) for a, b, type_ in spans)
    return TaggedSentence(words=tuple(text.split()), spans=spans)


PARIS = (
    sentence("Paris sang in Paris", (0, 1, "PER"), (3, 4, "GPE")),
    sentence("Oslo waits", (0, 1, "GPE")),
    sentence("New York beat Oslo", (0, 2, "ORG"), (3, 4, "ORG")),
    sentence("Paris slept", (0, 1, "PER")),
)


def test_names_are_found_with_every_mention():
    names = {name.text: name for name in find_names(PARIS)}
    assert list(names) == ["Paris", "Oslo", "New York"]
    assert names["Paris"].types == ("PER", "GPE")
    assert [m.sentence for m in names["Paris"].mentions] == [0, 0, 3]


def test_only_names_with_several_types_are_ambiguous_the_most_frequent_first():
    assert [name.text for name in ambiguous_names(find_names(PARIS))] == ["Paris", "Oslo"]


def test_examples_of_a_type_have_no_other():
    assert examples_of(find_names(PARIS), "ORG", 3) == ("New York",)
    assert examples_of(find_names(PARIS), "GPE", 3) == ()


def test_no_sentence_has_no_names():
    assert find_names([]) == ambiguous_names(find_names([])) == ()


@pytest.mark.parametrize(
    ("tags", "said", "touched"),
    [
        (("B-PER", "I-PER", "O"), "PER", ("PER",)),
        (("I-PER", "I-PER", "O"), "PER", ("PER",)),  # conlleval takes I for a beginning
        (("B-PER", "O", "O"), None, ("PER",)),
        (("B-PER", "I-PER", "I-PER"), None, ("PER",)),
        (("B-PER", "B-ORG", "O"), None, ("PER", "ORG")),
        (("O", "O", "B-PER"), None, ()),
    ],
)
def test_a_type_counts_only_for_exactly_the_words(tags, said, touched):
    span = Span(start=0, end=2, type="ORG")
    assert predicted_type(tags, span, "BIO") == said
    assert overlaps(tags, span, "BIO") == touched


def test_mentions_are_counted_right_by_words_and_type():
    mentions = [
        Mention(sentence=0, span=Span(start=0, end=1, type="PER")),
        Mention(sentence=1, span=Span(start=0, end=1, type="PER")),
        Mention(sentence=1, span=Span(start=1, end=2, type="GPE")),
    ]
    said = [("B-PER", "O"), ("B-GPE", "B-GPE")]
    assert count_right(mentions, said, "BIO") == MentionCount(n=3, n_right=2)
    assert count_right([], said, "BIO") == MentionCount(n=0, n_right=0)
