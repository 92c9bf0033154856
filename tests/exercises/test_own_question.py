"""A teacher's own question: every kind is judged, shown in another order, and kept in JSON."""

import json
from dataclasses import replace

import pytest

from mlm_core.exercises.exercise import UnreadableAnswerError
from mlm_core.exercises.own.own_question import OwnQuestion, read_question

CHOICE = OwnQuestion(kind="choice", text="Who sees it?", options=("all", "one"), right=(1,))
SEVERAL = OwnQuestion(kind="choice", text="Which two?", options=("a", "b", "c"), right=(0, 2))
NUMBER = OwnQuestion(kind="number", text="How many?", number=0.3, tolerance=0.1)
ORDER = OwnQuestion(kind="order", text="Which first?", options=("cut", "mask", "predict"))
MATCH = OwnQuestion(kind="match", text="What is it?", options=("Q", "K"), partners=("asks", "is"))
LABELS = OwnQuestion(
    kind="labels", text="Tag it.", options=("the", "the"), partners=("O", "B-LOC"), explanation="!"
)
EVERY = (CHOICE, SEVERAL, NUMBER, ORDER, MATCH, LABELS)


@pytest.mark.parametrize("question", EVERY, ids=lambda one: one.text)
def test_the_right_answer_is_right_and_json_keeps_the_question(question):
    assert question.is_right(question.right_answer)
    assert read_question(json.loads(json.dumps(question.as_json()))) == question
    order = question.shown_order()
    assert sorted(order) == list(range(len(question.options)))
    assert (order != tuple(sorted(order))) == (question.kind in ("order", "match"))


@pytest.mark.parametrize(
    ("question", "wrong", "unreadable"),
    [
        (CHOICE, ["0", "0 1"], ["", "2", "x"]),
        (SEVERAL, ["0", "0 1 2"], ["3"]),
        (NUMBER, ["0.19", "0.41", "-0.3"], ["many", "inf"]),
        (ORDER, ["1 0 2", "0 0 0"], ["0 1", "0 1 3"]),
        (MATCH, ["1 0"], ["0"]),
        (LABELS, ["O O"], ["O", "O I-LOC"]),
    ],
    ids=lambda one: getattr(one, "text", None),
)
def test_another_answer_is_wrong_or_unreadable(question, wrong, unreadable):
    assert not any(question.is_right(answer) for answer in wrong)
    for answer in unreadable:
        with pytest.raises(UnreadableAnswerError):
            question.is_right(answer)


def test_the_edge_of_a_tolerance_is_right_whatever_binary_fractions_say():
    assert NUMBER.is_right("0.4") and NUMBER.is_right("0,2") and SEVERAL.is_right("2 0")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "essay"}, "no kind"),
        ({"text": " "}, "no words"),
        ({"text": "x" * 2_001}, "at most"),
        ({"text": 3}, "an object"),
        ({"options": ["one"]}, "not 2 to 8"),
        ({"options": ["a", " "]}, "1 to 200"),
        ({"options": ["a", "a"]}, "same words"),
        ({"options": "ab"}, "'options'"),
        ({"partners": ["a", "b"]}, "one right side"),
        ({"right": []}, "needs its right answers"),
        ({"right": [1, 0]}, "in their order"),
        ({"right": [2]}, "none of the answers"),
        ({"right": [True]}, "'right'"),
        ({"number": float("nan")}, "finite"),
        ({"tolerance": -1}, "finite"),
        ({"number": 10**400}, "'number'"),
        ({"tolerance": 1e400}, "'tolerance'"),
        ({"script": "x"}, "'script'"),
        ({"kind": "order"}, "only a choice"),
        ({"kind": "match", "right": [], "partners": ["a", "a"]}, "same words"),
        ({"kind": "labels", "right": [], "partners": ["B LOC", "O"]}, "one word"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_question_that_can_not_be_asked_says_why(changed, said):
    whole = {"kind": "choice", "text": "?", "options": ["a", "b"], "right": [0]} | changed
    with pytest.raises(ValueError, match=said):
        read_question(whole)


def test_a_label_has_no_blanks_around_it():
    assert read_question(LABELS.as_json() | {"partners": ["O ", " B-LOC"]}) == LABELS
    with pytest.raises(ValueError, match="one word"):
        replace(LABELS, partners=("O ", "B-LOC"))


def test_what_is_no_question_says_so():
    with pytest.raises(ValueError, match="an object"):
        read_question(["kind"])
