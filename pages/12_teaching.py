"""Beside the lessons: links for a class, a lesson plan, a room, what to know before."""

from pages.shared.course.lessons import TEACHING
from pages.shared.frame.page_frame import page_beside
from pages.shared.frame.parts import show_part
from pages.shared.link import inputs

# Each is the function `show` of a file in pages/parts/teaching/.
PARTS = ("link", "plan", "room", "know")

with page_beside(TEACHING) as page:
    titles = {name: page.words.label(f"part_{name}") for name in PARTS}
    show_part(page, inputs.choice(page.words.label("parts"), titles, key="teaching_part"))
