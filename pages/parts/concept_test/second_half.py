"""The questions of lessons 6 to 12."""

from pages.parts.concept_test.asked import ask
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Ask them, before the lessons and after."""
    ask(page, "second_half")
