"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping

from tokenizers import Tokenizer

from mlm_core.stored.size_curve import stored_curve
from mlm_core.text import corpora, cutting
from mlm_core.text.cutting import LearntMerge
from mlm_core.text.size_curve import SIZES
from mlm_core.text.subword_trainers import ALGORITHMS
from mlm_core.text.tokens import Algorithm, train_tokenizer
from pages.kit.remember import long_work_lock, remembered


# Up to 2 MB each. Room for a class's own texts beside our 24, which would take nine seconds to
# train again.
@remembered(60)
def trained_tokenizer(algorithm: Algorithm, vocabulary_size: int, text: str | None) -> Tokenizer:
    """Return a tokenizer trained on the learner's text, or on our own sentences if None."""
    lines = corpora.sentences() if text is None else text.splitlines()
    with long_work_lock():
        return train_tokenizer(algorithm, lines, vocabulary_size)


@remembered(8)
def first_merges(n_merges: int, text: str | None) -> tuple[LearntMerge, ...]:
    """Return the first merges that BPE learns, from the learner's text or from our sentences."""
    lines = corpora.sentences() if text is None else tuple(text.splitlines())
    words = cutting.count_words(trained_tokenizer("BPE", 8000, text), lines)
    return cutting.first_merges(words, n_merges)


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
            trained_tokenizer(algorithm, size, None)
            let_pass()
