"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping

from pages.shared.caches import cache_vectors
from pages.shared.caches.cache_vectors import CorpusKey
from pages.shared.kit.remember import model, read_on, reader


def in_short() -> Mapping[str, object]:
    """Return the last layer's mean cosine of two random words, raw and z-scored."""
    model_name, language = reader("isotropy"), read_on("isotropy")
    corpus = CorpusKey(model_name=model_name, seed=1, text=None, language=language)
    layer = model(model_name).n_layers
    cache_vectors.read_corpus(corpus, lambda n_done, of: None)
    return {
        "model": model_name,
        "layer": layer,
        "raw": cache_vectors.learned(corpus, layer).proportions.mean_cosine,
        "z_scored": abs(cache_vectors.mean_cosine(corpus, layer, "z-scored", 0)),
    }


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Read our sentences of a language."""
    cache_vectors.read_our_sentences(language, lambda *_: let_pass())
