"""In short: the terms of this lesson, and how far the stored run came."""

from math import exp

from mlm_core.number_format import formatted
from pages.shared.caches import cache_training
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the default run's first and last test."""
    run = cache_training.stored_run("default")
    first, last = run.held_out[0], run.held_out[-1]
    show_summary(
        page.lesson,
        n_steps=formatted(last.step, ","),
        first=formatted(exp(first.loss), ",.0f"),
        last=formatted(exp(last.loss), ".1f"),
    )
