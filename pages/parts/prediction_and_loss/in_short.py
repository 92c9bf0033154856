"""In short: the terms of this lesson, and the loss of a guess among all tokens."""

from math import log

from mlm_core.number_format import formatted
from pages.shared.caches import cache
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with two losses to compare others with."""
    n_tokens = cache.bundled_tokenizer().get_vocab_size()
    show_summary(
        page.lesson,
        half=formatted(log(2), ".2f"),
        n_tokens=formatted(n_tokens, ","),
        blind=formatted(log(n_tokens), ".1f"),
    )
