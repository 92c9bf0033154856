"""Beside the lessons: the textbook's numbers, learners' questions and the words, with links."""

from pages.shared.course.lessons import LOOK_IT_UP
from pages.shared.frame.page_frame import page_beside
from pages.shared.frame.parts import show_part
from pages.shared.link import inputs

# Each is the function `show` of a file in pages/parts/look_it_up/.
PARTS = ("textbook", "questions", "glossary", "references")

with page_beside(LOOK_IT_UP) as page:
    titles = {name: page.words.label(f"part_{name}") for name in PARTS}
    show_part(page, inputs.choice(page.words.label("parts"), titles, key="look_it_up_part"))
