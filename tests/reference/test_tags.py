"""Our tags and scores against seqeval, scikit-learn and the tokenizers library.

seqeval has two modes. Its default mode is a port of conlleval's chunk rules, with S added; its
strict mode takes a scheme. It has none for IO: that is IOB1 without any B.
"""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from seqeval.metrics import accuracy_score as seqeval_accuracy
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as seqeval_default
from seqeval.metrics.v1 import precision_recall_fscore_support as seqeval_strict
from seqeval.scheme import IOB1, IOB2, IOBES, Entities
from sklearn.metrics import accuracy_score
from tokenizers import Tokenizer

from mlm_core.tagging.alignment import find_word_of_subword
from mlm_core.tagging.bio_tags import SCHEMES, decode
from mlm_core.tagging.scores import score_entities, word_accuracy
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.tagging.random_tags import TAGS, any_tags, two_outputs

SEQEVAL_SCHEMES = {"IO": IOB1, "BIO": IOB2, "BIOES": IOBES}
AVERAGES = ["micro", "macro"]
# Tens of thousands of short calls: checking the types of each would take minutes.
pytestmark = pytest.mark.usefixtures("unchecked_shapes")
slow_ok = settings(suppress_health_check=[*HealthCheck])


def check_any_tags(scheme: str, check: Callable[[list[str]], None]) -> None:
    """Check all sequences of up to three tags, and longer ones as hypothesis draws them.

    Where an entity begins and ends depends on two tags beside each other or on an end of the
    sentence, and all of these stand here: 820 sequences at most, in the time of 50 drawn ones.
    """
    for n_tags in range(4):
        for tags in product(TAGS[scheme], repeat=n_tags):
            check(list(tags))
    slow_ok(given(any_tags(scheme, max_size=14))(check))()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_conllevals_reading_is_that_of_seqevals_default_mode(scheme):
    def check(tags):
        found = [(s.type, s.start, s.end - 1) for s in decode(tags, scheme, "conlleval")]
        assert found == get_entities(tags), tags

    check_any_tags(scheme, check)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_strict_reading_is_that_of_seqevals_strict_mode(scheme):
    def check(tags):
        (theirs,) = Entities([tags], SEQEVAL_SCHEMES[scheme]).entities
        found = [(s.start, s.end, s.type) for s in decode(tags, scheme, "strict")]
        assert found == [(e.start, e.end, e.tag) for e in theirs], tags

    check_any_tags(scheme, check)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("reading", ["conlleval", "strict"])
@slow_ok
@given(data=st.data())
def test_every_score_is_seqevals(scheme, reading, data):
    outputs = data.draw(two_outputs(scheme))
    ours = score_entities(*([decode(t, scheme, reading) for t in o] for o in outputs))

    def theirs(average):
        options = {"average": average, "zero_division": 0}
        if reading == "conlleval":
            return seqeval_default(*outputs, **options)
        return seqeval_strict(*outputs, scheme=SEQEVAL_SCHEMES[scheme], **options)

    precision, recall, f1, n_gold = theirs(None)
    assert [score.measures.precision for score in ours.by_type] == pytest.approx(list(precision))
    assert [score.measures.recall for score in ours.by_type] == pytest.approx(list(recall))
    assert [score.measures.f1 for score in ours.by_type] == pytest.approx(list(f1))
    assert [score.counts.n_gold for score in ours.by_type] == list(n_gold)
    for average in AVERAGES:
        if average == "macro" and not ours.by_type:
            continue  # seqeval takes the mean of nothing
        measures = getattr(ours, average)
        found = (measures.precision, measures.recall, measures.f1)
        assert found == pytest.approx(theirs(average)[:3]), average


@slow_ok
@given(outputs=two_outputs("BIOES"))
def test_word_accuracy_is_that_of_scikit_learn_and_seqeval(outputs):
    gold, predicted = ([tag for tags in output for tag in tags] for output in outputs)
    assume(gold)
    accuracy = word_accuracy(*outputs).accuracy
    assert accuracy == pytest.approx(accuracy_score(gold, predicted))
    assert accuracy == pytest.approx(seqeval_accuracy(*outputs))


def test_random_tags_are_mostly_illegal_and_still_hit():
    # The tests above mean nothing if hypothesis draws only empty or only legal sentences.
    seen = {"differ": 0, "hit": 0}

    @settings(slow_ok, max_examples=100, derandomize=True)
    @given(outputs=two_outputs("BIOES"))
    def look(outputs):
        read = [
            [[decode(tags, "BIOES", reading) for tags in output] for output in outputs]
            for reading in ("conlleval", "strict")
        ]
        seen["differ"] += read[0] != read[1]
        seen["hit"] += score_entities(*read[1]).counts.n_hits > 0

    look()
    assert seen["differ"] > 33  # of a hundred
    assert seen["hit"] > 3
    assert len(TAGS["BIOES"]) == 9


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer("WordPiece", ["Mt. Sanitas isn't in U.S. canyons (yet)!"] * 3, 60)


@slow_ok
@given(words=st.lists(st.text("MtSaniscy.'()!", min_size=1, max_size=7), max_size=6))
def test_words_by_characters_are_the_words_that_the_tokenizer_is_given(words, tokenizer):
    starts = [sum(len(word) + 1 for word in words[:i]) for i in range(len(words))]
    tokens = tokenize(tokenizer, " ".join(words)).tokens
    found = find_word_of_subword(
        [(token.start, token.stop) for token in tokens],
        [(start, start + len(word)) for start, word in zip(starts, words, strict=True)],
    )
    assert list(found) == tokenizer.encode(words, is_pretokenized=True).word_ids
