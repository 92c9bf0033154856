"""Lesson: why are all words alike? The narrow cone of a model's vectors, and how to widen it."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/isotropy/.
PARTS = (
    "dimensions",
    "treatments",
    "formula",
    "layers",
    "senses",
    "frequent",
    "questions",
    "exercises",
)

with lesson_page("isotropy") as page:
    show_part(page, "kinship")
    show_parts(page, PARTS)
