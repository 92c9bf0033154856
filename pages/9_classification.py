"""Lesson: what does fine-tuning change? A head on top, and the layers below it."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/classification/.
PARTS = (
    "train",
    "errors",
    "own_sentence",
    "pretraining",
    "compare",
    "pairs",
    "answers",
    "published",
    "take_home",
    "exercises",
)

with lesson_page("classification") as page:
    show_part(page, "three_ways")
    show_parts(page, PARTS)
