"""In short: the terms of this lesson, and the mean cosine of two random words."""

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache, cache_vectors
from pages.shared.caches.cache_vectors import CorpusKey
from pages.shared.frame.overview import show_summary
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part


@part
def show(page: Page) -> None:
    """Show the summary with the last layer's mean cosine, raw and z-scored."""
    corpus, layer = CorpusKey(model_name=BUNDLED, seed=1, text=None), cache.model(BUNDLED).n_layers
    setting.read_corpus(page, corpus)
    shares = cache_vectors.learned(corpus, layer).proportions
    show_summary(
        page.lesson,
        model=BUNDLED,
        layer=layer,
        raw=formatted(shares.mean_cosine, ".2f"),
        z_scored=formatted(abs(cache_vectors.mean_cosine(corpus, layer, "z-scored", 0)), ".2f"),
    )
