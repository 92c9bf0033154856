"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, choice, text

LESSON = Lesson(
    slug="own_style",
    icon=":material/draw:",
    opening=("tokens",),
    parts=("compare",),
    core=("compare",),
    minutes=5,
    examples_in=("de",),
)

CONTROLS = (
    text("text", at=OPENING),
    choice("sample", ("report", "talk", "poem"), at="compare"),
)
