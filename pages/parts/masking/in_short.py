"""In short: the terms of this lesson, and what becomes of a hundred tokens."""

from mlm_core.masking.rule import CorruptionRule
from mlm_core.number_format import formatted
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the shares of BERT's rule."""
    rule = CorruptionRule()
    chosen = 100 * rule.mlm_probability
    show_summary(
        page.lesson,
        chosen=formatted(chosen, ".0f"),
        masked=formatted(chosen * rule.mask_rate, ".0f"),
        random=formatted(chosen * rule.random_rate, ".1f"),
        kept=formatted(chosen * rule.keep_rate, ".1f"),
    )
