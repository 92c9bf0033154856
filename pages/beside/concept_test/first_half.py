"""The questions of lessons 1 to 5."""

from pages.beside.concept_test.asked import ask
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part


@part
def show(page: Page) -> None:
    """Ask them, before the lessons and after."""
    ask(page, "first_half")
