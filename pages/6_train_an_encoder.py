"""Lesson: can you watch it understand? A small encoder, trained before your eyes."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/train_an_encoder/.
PARTS = (
    "compare",
    "experiments",
    "inside",
    "pair_task",
    "parameters",
    "family",
    "take_home",
    "exercises",
)

with lesson_page("train_an_encoder") as page:
    show_part(page, "run")
    show_parts(page, PARTS)
