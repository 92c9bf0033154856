"""Lesson: what does the model actually read? WordPiece, BPE and Unigram on the same text."""

from pages.parts.subword_tokens.setting import choose
from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/subword_tokens/.
PARTS = (
    "curve",
    "pieces",
    "algorithms",
    "own_text",
    "input_stack",
    "questions",
    "task",
    "exercises",
)

with lesson_page("subword_tokens") as page:
    choose(page)
    show_part(page, "opening")
    show_part(page, "guess")
    show_parts(page, PARTS)
