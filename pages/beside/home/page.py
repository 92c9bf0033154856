"""The row of the home page, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, drawn, text

PAGE = Lesson(
    slug="home",
    file="app.py",
    icon=":material/home:",
    parts=("guess", "course_map", "record"),
    examples_in=("de",),
)

CONTROLS = (
    text("text", at=OPENING, label="sentence", carries=True),
    drawn("hidden", at=OPENING, label="words_alt"),
)
