"""Lesson: do these two belong together? Next sentence prediction, and what came after it."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/sentence_pairs/.
PARTS = (
    "own",
    "head",
    "batch",
    "truncation",
    "packing",
    "languages",
    "cls_vector",
    "task",
    "exercises",
)

with lesson_page("sentence_pairs") as page:
    show_part(page, "opening")
    show_parts(page, PARTS)
