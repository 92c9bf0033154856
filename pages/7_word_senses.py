"""Lesson: does the model know which "bank" you mean? Word senses in its vectors."""

from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/word_senses/.
PARTS = (
    "disambiguate",
    "by_layer",
    "own",
    "static",
    "discourse",
    "german",
    "questions",
    "exercises",
)

with lesson_page("word_senses") as page:
    show_part(page, "map")
    show_parts(page, PARTS)
