"""A vocabulary of a model's size from two languages mixed by alpha, and how it cuts each.

    texts         Wikipedia in English and German, as if German were 1 word in 40
    alpha         decides how many of 8 million words come from each; only these shares change
    vocabulary    WordPiece, as large as the bundled model's
    measured      subwords per word in held-out text of each language

A word is one of the pre-tokenizer's that consists of letters, everywhere here.

Source: SLP3 Eq 11.5; Devlin 2018 and Conneau et al. 2020, section 5.2 (alpha); Rust et al. 2021
(subwords per word).
Departs: two languages, and German's natural share is set, so that its text suffices at alpha 0.

`python -m tools.mixed_vocabularies` makes the stored ones, ../stored/two_languages.py reads them.

Read before this: vocabulary.py, ../text/language_sampling.py.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tokenizers import Tokenizer

from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.text.cutting import count_words
from mlm_core.text.language_sampling import sampling_probabilities, subwords_per_word

NATURAL = (39, 1)  # English words for each German one, before alpha
N_WORDS = 8_000_000  # that a vocabulary is learnt from
N_ENTRIES, N_LETTERS = 16_000, 400  # as the bundled model's


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedDocument:
    """The paragraphs of a document, and its words of letters."""

    paragraphs: tuple[str, ...]
    n_words: int


@dataclass(frozen=True, kw_only=True)
class MixedVocabulary:
    """What one alpha and one seed gave; pairs have English first."""

    alpha: float
    seed: int
    n_words: tuple[int, int]  # drawn of each language
    subwords_per_word: tuple[float, float]

    @property
    def proportion(self) -> float:
        """Return the rare language's proportion of the drawn words."""
        return self.n_words[1] / sum(self.n_words)


@dataclass(frozen=True, kw_only=True)
class ModelVocabulary:
    """What a model's own vocabulary gave, learnt from more text; the pair has English first."""

    name: str
    proportion: float  # of German among the words that it was learnt from
    subwords_per_word: tuple[float, float]


def count_documents(
    documents: Iterable[Sequence[str]], tokenizer: Tokenizer
) -> list[CountedDocument]:
    """Return the documents with their words of letters counted, as this tokenizer splits them."""
    return [
        CountedDocument(
            paragraphs=tuple(paragraphs),
            n_words=sum(n for w, n in count_words(tokenizer, paragraphs).items() if w.isalpha()),
        )
        for paragraphs in documents
    ]


def draw_documents(
    documents: Sequence[CountedDocument], n_words: float, rng: Random
) -> tuple[list[str], int]:
    """Return the paragraphs of whole documents in random order, and how many words they have.

    The last document is the one with which they have `n_words` or more.
    Raises ValueError if all documents together have fewer.
    """
    drawn: list[str] = []
    n_drawn = 0
    for document in rng.sample(documents, len(documents)):
        if n_drawn >= n_words:
            break
        drawn += document.paragraphs
        n_drawn += document.n_words
    if n_drawn < n_words:
        raise ValueError(f"{n_words:,.0f} words wanted, but the texts have {n_drawn:,}: add files")
    return drawn, n_drawn


def learn_mixture(
    texts: Sequence[Sequence[CountedDocument]],
    alpha: float,
    seed: int,
    *,
    n_words: int = N_WORDS,
    n_entries: int = N_ENTRIES,
) -> tuple[Tokenizer, tuple[int, ...]]:
    """Return a vocabulary learnt from the languages mixed by alpha, and the words of each.

    Raises ValueError if a language has too little text for its share.
    """
    rng = Random(seed)
    shares = sampling_probabilities(NATURAL, alpha)
    drawn = [
        draw_documents(text, share * n_words, rng)
        for text, share in zip(texts, shares, strict=True)
    ]
    lines = [line for paragraphs, _ in drawn for line in paragraphs]
    return learn_wordpieces(lambda: lines, n_entries, N_LETTERS), tuple(n for _, n in drawn)


def measure_cuts(tokenizer: Tokenizer, held_out: Sequence[Counter[str]]) -> tuple[float, ...]:
    """Return the subwords per word of each language, given its held-out words."""
    return tuple(subwords_per_word(tokenizer, words) for words in held_out)
