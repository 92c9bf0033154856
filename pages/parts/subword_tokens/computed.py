"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping

from mlm_core.stored.size_curve import stored_curve
from mlm_core.text.size_curve import SIZES
from mlm_core.text.subword_trainers import ALGORITHMS
from pages.shared.caches import cache_vocabularies


def in_short() -> Mapping[str, object]:
    """Return the stored curve's ends: how many tokens a word becomes."""
    rates = {point.size: point for point in stored_curve() if point.algorithm == "WordPiece"}
    small, large = rates[SIZES[0]], rates[SIZES[-1]]
    return {
        "small": small.reached,
        "large": large.reached,
        "many": small.tokens_per_word,
        "few": large.tokens_per_word,
    }


def get_ready(let_pass: Callable[[], None]) -> None:
    """Train the vocabularies of the size curve."""
    for algorithm in ALGORITHMS:
        for size in SIZES:
            cache_vocabularies.trained_tokenizer(algorithm, size, None)
            let_pass()
