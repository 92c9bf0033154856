"""The row of this page, and those of its controls."""

from pages.kit.rows import Lesson

PAGE = Lesson(
    slug="concept_test",
    file="pages/15_concept_test.py",
    icon=":material/quiz:",
    parts=("first_half", "second_half", "gain"),
)

CONTROLS = ()
