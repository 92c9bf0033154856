"""In short: the terms of this lesson, and how well "bank" is told apart by layer."""

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.number_format import formatted
from pages.shared.caches import cache_senses
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the accuracy of the first and the best layer."""
    scores = cache_senses.sense_layer_scores(BUNDLED, "bank", "mean", "centroids")
    accuracies = [accuracy for accuracy, _ in scores]
    best = max(range(len(accuracies)), key=accuracies.__getitem__)
    show_summary(
        page.lesson,
        model=BUNDLED,
        layer=best,
        first=formatted(100 * accuracies[0], ".0f"),
        best=formatted(100 * accuracies[best], ".0f"),
    )
