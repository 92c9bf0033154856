"""In short: the terms of this lesson, and what the pretrained start is worth."""

from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with two stored runs that differ in where they start."""
    pretrained, random = (
        cache_finetuning.stored(name) for name in ("sentiment_top", "sentiment_random")
    )
    show_summary(
        page.lesson,
        n=formatted(len(pretrained.dataset.train), ","),
        n_classes=len(pretrained.dataset.classes),
        pretrained=formatted(100 * pretrained.result.proportion_right, ".0f"),
        random=formatted(100 * random.result.proportion_right, ".0f"),
    )
