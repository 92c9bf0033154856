"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping

from mlm_core.embeddings.word_senses import METHODS
from mlm_core.encoder.model_list import BUNDLED, READERS
from pages.parts.word_senses.lesson import START
from pages.shared.caches import cache_senses
from pages.shared.kit.remember import read_on


def in_short() -> Mapping[str, object]:
    """Return the accuracy before the first and after the last layer for the lesson's word."""
    language = read_on("word_senses")
    name, model = START[language], READERS[language]
    scores = cache_senses.sense_layer_scores(model, name, "mean", "centroids")
    return {
        "word": cache_senses.stored_word(name).word,
        "model": model,
        "layer": len(scores) - 1,
        "first": scores[0][0],
        "last": scores[-1][0],
    }


def get_ready(let_pass: Callable[[], None]) -> None:
    """Read the stories with the bundled model."""
    stories = [use.sentence for use in cache_senses.story_uses()]
    cache_senses.uses(BUNDLED, stories, "mean", lambda _: let_pass())


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Score a language's words of several senses."""
    for name in cache_senses.stored_names(language):
        for method in METHODS:
            cache_senses.sense_layer_scores(READERS[language], name, "mean", method)
        let_pass()
