"""The row of this page, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, text

PAGE = Lesson(
    slug="look_it_up",
    file="pages/13_look_it_up.py",
    icon=":material/menu_book:",
    opening=("find",),
    parts=("textbook", "questions", "glossary", "references", "compare"),
)

CONTROLS = (text("search", at=OPENING, points=False),)
