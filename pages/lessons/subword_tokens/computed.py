"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping, Sequence

from tokenizers import Tokenizer

from mlm_core.stored.size_curve import stored_curve
from mlm_core.text import corpora, cutting
from mlm_core.text.cutting import LearntMerge
from mlm_core.text.size_curve import SIZES
from mlm_core.text.subword_trainers import ALGORITHMS
from mlm_core.text.tokens import Algorithm, train_tokenizer
from pages.kit.remember import long_work_lock, read_on, remembered


def trained_tokenizer(
    algorithm: Algorithm, vocabulary_size: int, language: str, text: str | None = None
) -> Tokenizer:
    """Return a tokenizer trained on the learner's text, or on our sentences of a language."""
    if text is None:
        return _trained_on_ours(algorithm, vocabulary_size, language)
    return _trained_on_own(algorithm, vocabulary_size, text)


# All 24 of a language and a third of those of another, up to 2.1 MB each: nine seconds of training,
# which no own text pushes out.
@remembered(32)
def _trained_on_ours(algorithm: Algorithm, vocabulary_size: int, language: str) -> Tokenizer:
    return _trained(algorithm, vocabulary_size, corpora.training_sentences(language))


@remembered(32)
def _trained_on_own(algorithm: Algorithm, vocabulary_size: int, text: str) -> Tokenizer:
    return _trained(algorithm, vocabulary_size, text.splitlines())


def _trained(algorithm: Algorithm, vocabulary_size: int, lines: Sequence[str]) -> Tokenizer:
    with long_work_lock():
        return train_tokenizer(algorithm, lines, vocabulary_size)


@remembered(2)
def first_merges(n_merges: int, language: str) -> tuple[LearntMerge, ...]:
    """Return the first merges that BPE learns from our sentences of a language."""
    lines = corpora.training_sentences(language)
    words = cutting.count_words(trained_tokenizer("BPE", 8000, language), lines)
    return cutting.first_merges(words, n_merges)


@remembered(2)
def n_corpus_words(language: str) -> int:
    """Return how many words our sentences of a language have; between two spaces is a word."""
    return sum(len(sentence.split()) for sentence in corpora.training_sentences(language))


def in_short() -> Mapping[str, object]:
    """Return the stored curve's ends: how many tokens a word becomes."""
    curve = stored_curve(read_on("subword_tokens"))
    rates = {point.size: point for point in curve if point.algorithm == "WordPiece"}
    small, large = rates[SIZES[0]], rates[SIZES[-1]]
    return {
        "small": small.reached,
        "large": large.reached,
        "many": small.tokens_per_word,
        "few": large.tokens_per_word,
    }


def get_ready(let_pass: Callable[[], None]) -> None:
    """Train the vocabularies of the size curve."""
    get_ready_in("en", let_pass)


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Train those of a language."""
    for algorithm in ALGORITHMS:
        for size in SIZES:
            trained_tokenizer(algorithm, size, language)
            let_pass()
