"""In short: the terms of this lesson, the loss of a coin, and what alpha does to 1 %."""

from math import log

from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import sampling_probabilities
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part

RARE, ALPHA = 0.01, 0.3  # of the text; XLM-R's exponent


@part
def show(page: Page) -> None:
    """Show the summary with the share of a rare language beside one other."""
    drawn = sampling_probabilities([RARE, 1 - RARE], ALPHA)[0]
    show_summary(
        page.lesson,
        coin=formatted(log(2), ".2f"),
        alpha=formatted(ALPHA, ".1f"),
        rare=formatted(100 * RARE, ".0f"),
        drawn=formatted(100 * drawn, ".0f"),
    )
