"""Lesson: who may look at whom? Causal, bidirectional, padding and hand-drawn masks."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/attention_mask/.
PARTS = (
    "flow",
    "chain",
    "heads",
    "block",
    "cloze",
    "three_masks",
    "worked",
    "precision",
    "cost",
    "compare",
    "exercises",
)

with lesson_page("attention_mask") as page:
    show_part(page, "contrast")
    show_parts(page, PARTS)
