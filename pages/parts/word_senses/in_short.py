"""In short: the terms of this lesson, and how well "bank" is told apart by layer."""

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.number_format import formatted
from pages.shared.caches import cache_senses
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the accuracy before the first and after the last layer."""
    scores = cache_senses.sense_layer_scores(BUNDLED, "bank", "mean", "centroids")
    accuracies = [accuracy for accuracy, _ in scores]
    show_summary(
        page.lesson,
        model=BUNDLED,
        layer=len(accuracies) - 1,
        first=formatted(100 * accuracies[0], ".0f"),
        last=formatted(100 * accuracies[-1], ".0f"),
    )
