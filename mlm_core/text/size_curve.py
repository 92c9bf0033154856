"""Tokens per word by size of the vocabulary, measured on our sentences of a language.

Measuring all sizes takes some seconds, so ../stored/size_curve.py reads what
`make stored STORED=size_curve` has measured.

Read before this: corpora.py.
"""

from dataclasses import dataclass

from mlm_core.text import corpora
from mlm_core.text.cutting import tokens_per_word
from mlm_core.text.subword_trainers import Algorithm
from mlm_core.text.tokens import train_tokenizer

SIZES = (100, 200, 400, 800, 1500, 3000, 5000, 8000)  # about even steps on a log scale


@dataclass(frozen=True, kw_only=True)
class SizePoint:
    """One vocabulary, and the tokens per word of the text it was learnt from."""

    algorithm: Algorithm
    size: int  # entries asked for
    reached: int  # entries that it has
    tokens_per_word: float  # words are separated by spaces


def measure(algorithm: Algorithm, size: int, language: str = "en") -> SizePoint:
    """Train on our sentences of a language and tokenize the same sentences."""
    lines = corpora.training_sentences(language)
    tokenizer = train_tokenizer(algorithm, lines, size)
    return SizePoint(
        algorithm=algorithm,
        size=size,
        reached=tokenizer.get_vocab_size(),
        tokens_per_word=tokens_per_word(tokenizer, lines),
    )
