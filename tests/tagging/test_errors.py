"""Errors one by one: each entity in one outcome, and the sums are those of the scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.tagging.bio_tags import READINGS, SCHEMES, decode
from mlm_core.tagging.errors import list_disagreements, list_outcomes
from mlm_core.tagging.scores import score_entities
from tests.tagging.random_tags import two_outputs
from tests.tagging.test_scores import spans


def told(gold, predicted):
    return [
        (outcome.kind, outcome.gold and outcome.gold.start, outcome.predicted and
         outcome.predicted.start)
        for outcome in list_outcomes([spans(gold)], [spans(predicted)])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "predicted", "outcomes"),
    [
        ("PER0-2", "PER0-2", [("hit", 0, 0)]),
        ("PER0-2", "LOC0-2", [("wrong_type", 0, 0)]),
        ("PER0-2", "PER0-1", [("wrong_boundary", 0, 0)]),  # Jane for Jane Villanueva
        ("PER0-2", "LOC1-3", [("wrong_both", 0, 1)]),
        ("PER0-2", "", [("missed", 0, None)]),
        ("", "PER0-2", [("false_alarm", None, 0)]),
        ("PER0-2", "PER2-4", [("missed", 0, None), ("false_alarm", None, 2)]),  # touch only
        # One long span over two: it goes to the one it shares more words with.
        ("PER0-1 PER2-5", "PER0-5", [("missed", 0, None), ("wrong_boundary", 2, 0)]),
        # Same words before same type before a mere touch.
        ("PER0-3 LOC3-4", "PER2-3 PER3-4", [("wrong_boundary", 0, 2), ("wrong_type", 3, 3)]),
        ("PER0-1 LOC4-5", "PER0-1 ORG2-3", [("hit", 0, 0), ("false_alarm", None, 2),
                                            ("missed", 4, None)]),
    ],
)  # fmt: skip
def test_by_hand(gold, predicted, outcomes):
    assert sorted(told(gold, predicted), key=str) == sorted(outcomes, key=str)


def test_outcomes_stand_in_the_order_of_the_text():
    found = list_outcomes(
        [spans("PER5-6 PER0-1"), spans("LOC0-1")], [spans("PER3-4"), spans("LOC0-1")]
    )
    assert [(o.sentence, o.kind) for o in found] == [
        (0, "missed"),
        (0, "false_alarm"),
        (0, "missed"),
        (1, "hit"),
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
@given(data=st.data())
def test_every_entity_stands_in_one_outcome_and_the_sums_are_the_counts(scheme, data):
    outputs = data.draw(two_outputs(scheme))
    gold, predicted = ([decode(tags, scheme, "conlleval") for tags in o] for o in outputs)
    outcomes = list_outcomes(gold, predicted)
    for side, sentences in (("gold", gold), ("predicted", predicted)):
        found = [(o.sentence, getattr(o, side)) for o in outcomes if getattr(o, side) is not None]
        assert sorted(found) == sorted((i, s) for i, spans in enumerate(sentences) for s in spans)
    counts = score_entities(gold, predicted).counts
    assert sum(o.kind == "hit" for o in outcomes) == counts.n_hits
    assert sum(o.is_miss for o in outcomes) == counts.n_missed
    assert sum(o.is_false_alarm for o in outcomes) == counts.n_false_alarms


@pytest.mark.parametrize(
    ("gold", "predicted", "effect"),
    [
        (
            "B-PER I-PER",
            "I-PER I-PER",
            "conlleval counts a hit; strict sees no predicted PER here and counts a missed entity",
        ),
        (
            "O O",
            "O I-LOC",
            "conlleval counts a false alarm; strict sees no predicted LOC here and counts nothing",
        ),
        (
            "I-PER O",
            "B-PER O",
            "conlleval counts a hit; strict sees no gold PER here and counts a false alarm",
        ),
        (
            "I-PER O",
            "O O",
            "conlleval counts a missed entity; strict sees no gold PER here and counts nothing",
        ),
    ],
)
def test_what_the_reading_changes_is_said(gold, predicted, effect):
    (found,) = list_disagreements([gold.split()], [predicted.split()], "BIO")
    assert found.effect == effect
    assert [fault.kind for fault in found.faults] == ["no_begin"]


def test_a_span_at_fault_on_both_sides_is_a_hit_for_one_reading_and_nothing_for_the_other():
    found = list_disagreements([["I-PER"]], [["I-PER"]], "BIO")
    assert [(d.side, d.conlleval, d.strict) for d in found] == [
        ("gold", "hit", None),
        ("predicted", "hit", None),
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
@given(data=st.data())
def test_the_disagreements_account_for_the_whole_difference_of_the_counts(scheme, data):
    gold, predicted = data.draw(two_outputs(scheme))
    loose, strict = (
        score_entities(
            *([decode(tags, scheme, reading) for tags in output] for output in (gold, predicted))
        ).counts
        for reading in READINGS
    )
    found = list_disagreements(gold, predicted, scheme)
    lost_hits = {(d.sentence, d.span) for d in found if d.conlleval == "hit"}
    assert loose.n_gold - strict.n_gold == sum(d.side == "gold" for d in found)
    assert loose.n_predicted - strict.n_predicted == sum(d.side == "predicted" for d in found)
    assert loose.n_hits - strict.n_hits == len(lost_hits)
    # A hit that becomes an error of the other side, and an error that vanishes.
    for name, side in (("missed", "predicted"), ("false_alarm", "gold")):
        gained = sum(d.strict == name for d in found)
        gone = sum(d.conlleval == name for d in found)
        assert all(d.side == side for d in found if d.strict == name)
        of = "n_missed" if name == "missed" else "n_false_alarms"
        assert getattr(strict, of) - getattr(loose, of) == gained - gone


def test_outputs_of_other_sentences_are_refused():
    with pytest.raises(ValueError, match="1 gold sentences but 2 predicted ones"):
        list_outcomes([[]], [[], []])
    with pytest.raises(ValueError, match=r"sentences of \[1\] words, predicted ones for \[2\]"):
        list_disagreements([["O"]], [["O", "O"]], "BIO")
