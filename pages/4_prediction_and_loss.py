"""Lesson: how wrong is a guess? From the state at a chosen place to -log P and the mean loss."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/prediction_and_loss/.
PARTS = (
    "numbers",
    "surprise",
    "positions",
    "signal",
    "blanks",
    "causal",
    "sentences",
    "questions",
    "task",
    "exercises",
)

with lesson_page("prediction_and_loss") as page:
    show_part(page, "machine")
    show_part(page, "guess")
    show_parts(page, PARTS)
