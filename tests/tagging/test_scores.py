"""Entity scores: by hand, and with 0/0 under each rule."""

import numpy as np
import pytest
from hypothesis import given

from mlm_core.tagging.bio_tags import Span, decode
from mlm_core.tagging.scores import Counts, Measures, compare_spans, score_entities, word_accuracy
from tests.tagging.random_tags import two_outputs


def spans(text):
    """Return the spans of "PER0-2 LOC3-4"."""
    found = []
    for word in text.split():
        start, end = word[3:].split("-")
        found.append(Span(start=int(start), end=int(end), type=word[:3]))
    return found


GOLD = [spans("PER0-2 ORG3-6 LOC8-9"), spans("PER0-1"), spans("")]
PREDICTED = [spans("PER0-1 ORG3-6 LOC8-9"), spans("PER0-1 PER2-3"), spans("LOC4-5")]


def test_by_hand_over_three_sentences():
    scores = score_entities(GOLD, PREDICTED)
    # LOC: one hit of one gold and two predicted. ORG: all right. PER: one hit of two and three.
    assert {score.type: score.counts for score in scores.by_type} == {
        "LOC": Counts(n_hits=1, n_gold=1, n_predicted=2),
        "ORG": Counts(n_hits=1, n_gold=1, n_predicted=1),
        "PER": Counts(n_hits=1, n_gold=2, n_predicted=3),
    }
    assert [score.measures.f1 for score in scores.by_type] == pytest.approx([2 / 3, 1, 2 / 5])
    assert scores.counts == Counts(n_hits=3, n_gold=4, n_predicted=6)
    assert (scores.counts.n_missed, scores.counts.n_false_alarms) == (1, 3)
    assert scores.micro == Measures(precision=0.5, recall=0.75, f1=0.6)
    assert scores.macro.precision == pytest.approx((1 / 2 + 1 + 1 / 3) / 3)
    assert scores.macro.recall == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert scores.macro.f1 == pytest.approx((2 / 3 + 1 + 2 / 5) / 3)


def test_jane_for_jane_villanueva_is_two_errors_though_one_word_is_wrong():
    gold, predicted = ["B-PER", "I-PER", "O"], ["B-PER", "O", "O"]
    assert word_accuracy([gold], [predicted]).n_right == 2
    read = [[decode(tags, "BIO", "strict")] for tags in (gold, predicted)]
    counts = score_entities(*read).counts
    assert (counts.n_hits, counts.n_missed, counts.n_false_alarms) == (0, 1, 1)


def test_a_tagger_that_finds_nothing_looks_good_by_words_and_is_worth_nothing_by_entities():
    gold = [["O", "O", "B-PER", "O", "O", "O", "O"]]
    accuracy = word_accuracy(gold, [["O"] * 7])
    assert accuracy.accuracy == accuracy.all_outside_accuracy == pytest.approx(6 / 7)
    assert score_entities([spans("PER2-3")], [[]]).micro.f1 == 0


def test_0_of_0_is_0():
    none = Measures(precision=0, recall=0, f1=0)
    for gold, predicted in (([[]], [[]]), ([spans("PER0-1")], [[]]), ([[]], [spans("PER0-1")])):
        scores = score_entities(gold, predicted)
        assert scores.micro == scores.macro == none
    # A type that is never predicted counts in the mean.
    assert score_entities([spans("PER0-1 LOC2-3")], [spans("PER0-1")]).macro.precision == 0.5


@given(two_outputs("BIO"))
def test_scores_keep_their_range_and_f1_is_the_harmonic_mean(outputs):
    gold, predicted = ([decode(tags, "BIO", "conlleval") for tags in o] for o in outputs)
    scores, swapped = score_entities(gold, predicted), score_entities(predicted, gold)
    assert swapped.micro.recall == pytest.approx(scores.micro.precision)
    assert swapped.micro.f1 == pytest.approx(scores.micro.f1)
    for measures in (scores.micro, *(score.measures for score in scores.by_type)):
        p, r, f1 = measures.precision, measures.recall, measures.f1
        assert all(0 <= share <= 1 for share in (p, r, f1))
        if p > 0 and r > 0:
            assert f1 == pytest.approx(2 / (1 / p + 1 / r))
    perfect = score_entities(gold, gold)
    assert not any(gold) or perfect.micro == Measures(precision=1, recall=1, f1=1)


def test_two_taggers_are_compared_by_their_entities_in_the_same_sentences():
    gold, none = [spans("PER0-1")] * 3, [spans("")] * 3
    found = compare_spans(gold, gold, none, np.random.default_rng(0), n_resamples=5, n_first=2)
    assert found.delta == 1 and (found.deltas == 1).all() and len(found.first) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Counts(n_hits=2, n_gold=1, n_predicted=3), "2 hits of 1 gold"),
        (lambda: score_entities([[]], []), "1 gold sentences but 0 predicted ones"),
        (lambda: word_accuracy([["O"]], [["O", "O"]]), "gold tags for 1 words in 1 sentences"),
        (lambda: word_accuracy([["O"], ["O", "O"]], [["O", "O"], ["O"]]), "same words"),
        (lambda: word_accuracy([], []), "gold tags for 0 words"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message, unchecked_shapes):
    with pytest.raises(ValueError, match=message):
        call()
