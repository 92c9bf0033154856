"""In short: the terms of this lesson, and how many tokens a word becomes."""

from mlm_core.number_format import formatted
from mlm_core.text.size_curve import SIZES, stored_curve
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the stored curve's ends."""
    rates = {point.size: point for point in stored_curve() if point.algorithm == "WordPiece"}
    small, large = rates[SIZES[0]], rates[SIZES[-1]]
    show_summary(
        page.lesson,
        small=formatted(small.size, ","),
        large=formatted(large.size, ","),
        many=formatted(small.tokens_per_word, ".1f"),
        few=formatted(large.tokens_per_word, ".1f"),
    )
