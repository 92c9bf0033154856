"""In short: the terms of this lesson, and a tagger's two scores."""

from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the stored tagger's word accuracy and entity F1."""
    test = cache_finetuning.stored("entities_top").result
    show_summary(
        page.lesson,
        right=formatted(100 * test.proportion_right, ".0f"),
        f1=formatted(test.f1, ".2f"),
    )
