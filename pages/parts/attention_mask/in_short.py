"""In short: the terms of this lesson, and one word's vectors under the two masks."""

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.number_format import formatted
from pages.shared.caches import cache
from pages.shared.course.language import FIRST
from pages.shared.course.words import read_words
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the cosines of the opening's example."""
    words = read_words(page.lesson.slug, FIRST)
    causal, both = (
        _cosine(words.plain("default_first"), words.plain("default_second"), causal=c)
        for c in (True, False)
    )
    show_summary(
        page.lesson, model=BUNDLED, causal=formatted(causal, ".3f"), both=formatted(both, ".3f")
    )


def _cosine(first: str, second: str, *, causal: bool) -> float:
    """Return the cosine of the two "bank" vectors in the last layer."""
    tokens_1, encoding_1 = cache.encoding(BUNDLED, first, causal)
    tokens_2, encoding_2 = cache.encoding(BUNDLED, second, causal)
    word = next(one for one in shared_words(tokens_1, tokens_2) if one.text == "bank")
    return compare_word(encoding_1, encoding_2, word).cosines[-1]
