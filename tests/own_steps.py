"""Texts and questions of a teacher: with one text in every field, and with answers."""

from mlm_core.exercises.own.own_question import OwnQuestion
from pages.server.classroom.own_step import Own
from tests.exercises.test_own_question import CHOICE, LABELS, MATCH, NUMBER, ORDER, SEVERAL

# Question, kind of its fields, their values in a right answer and in a wrong one.
ANSWERED = [
    (CHOICE, "radio", "1", "0"),
    (SEVERAL, "checkbox", (True, False, True), (False, True, True)),
    (NUMBER, "text_input", ("0,35",), ("1",)),
    (ORDER, "selectbox", "012", "210"),
    (MATCH, "selectbox", "01", "10"),
    (LABELS, "selectbox", ("O", "B-LOC"), ("O", "O")),
]


def owns_of(text: str) -> list[Own]:
    """Return a text, and a question of each kind, with this text in every field."""
    option, words = text[:190], {"text": text[:2_000], "explanation": text[:2_000]}
    listed = words | {"options": (option, f"x{option[:150]}")}
    if not text.strip():
        return [text]
    return [
        text[:9_000],
        OwnQuestion(kind="choice", right=(0,), **listed),
        OwnQuestion(kind="order", **listed),
        OwnQuestion(kind="match", partners=listed["options"], **listed),
        OwnQuestion(kind="labels", partners=("O", "B"), **listed),
        OwnQuestion(kind="number", **words),
    ]
