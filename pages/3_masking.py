"""Lesson: what is done to 15 % of the words, and why not simply hide them?"""

from pages.parts.masking.setting import choose
from pages.shared.frame.page_frame import lesson_page
from pages.shared.frame.parts import show_part, show_parts

# Each is the function `show` of a file in pages/parts/masking/.
PARTS = ("rule", "how_often", "short", "why", "denoising", "questions", "task", "exercises")

with lesson_page("masking") as page:
    choose(page)
    show_part(page, "play")
    show_parts(page, PARTS)
