"""Beside the lessons: links that open one view for a class, a lesson plan, what to know before."""

from pages.shared import inputs
from pages.shared.frame import page_beside
from pages.shared.lessons import TEACHING
from pages.shared.parts import show_part

# Each is the function `show` of a file in pages/parts/teaching/.
PARTS = ("link", "plan", "know")

with page_beside(TEACHING) as page:
    titles = {name: page.words.label(f"part_{name}") for name in PARTS}
    show_part(page, inputs.choice(page.words.label("parts"), titles, key="teaching_part"))
