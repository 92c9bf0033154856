"""Texts and questions of a teacher with one text in every field."""

from mlm_core.exercises.own_question import OwnQuestion
from pages.server.classroom.own_step import Own


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
