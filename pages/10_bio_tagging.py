"""Lesson: where does a name begin and end? Tags for words, and how they are scored."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/bio_tagging/.
PARTS = (
    "types",
    "pieces",
    "train",
    "distribution",
    "scores",
    "bootstrap",
    "take_home",
    "exercises",
)

with lesson_page("bio_tagging") as page:
    show_part(page, "schemes")
    show_parts(page, PARTS)
