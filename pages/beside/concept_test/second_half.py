"""The questions of lessons 6 to 12."""

from pages.beside.concept_test.asked import ask
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part


@part
def show(page: Page) -> None:
    """Ask them, before the lessons and after."""
    ask(page, "second_half")
