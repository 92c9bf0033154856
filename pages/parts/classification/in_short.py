"""In short: the terms of this lesson, and what pretraining is worth."""

from statistics import mean

from mlm_core.finetuning.settings import RANDOM_LAYERS
from mlm_core.number_format import formatted
from pages.parts.classification.pretraining_figure import WAYS
from pages.shared.caches import cache_finetuning
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with what is reached with pretraining, without, and without an encoder."""
    data = cache_finetuning.dataset("sentiment")
    reached = {name: cache_finetuning.shares("sentiment", way) for name, way in WAYS.items()}
    show_summary(
        page.lesson,
        n=formatted(len(data.train), ","),
        n_classes=len(data.classes),
        layers=RANDOM_LAYERS,
        n_seeds=len(reached["pretrained"]),
        **{name: formatted(100 * mean(shares), ".0f") for name, shares in reached.items()},
    )
