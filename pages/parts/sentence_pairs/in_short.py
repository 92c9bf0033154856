"""In short: the terms of this lesson, and the loss of a random guess."""

from math import log

from mlm_core.number_format import formatted
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with ln 2."""
    show_summary(page.lesson, coin=formatted(log(2), ".2f"))
