"""The mini world told in a second language: other words, in the opposite order.

    Anna walks along the bank.           the world's own language
    Bank dji along cergz Anna.           related: words that begin with a to m are the same
    Pemg dji erumk cergz Emme.           unrelated: all words are other ones

A word's letters are replaced by other letters, vowels by vowels, so that two languages share
letters and subwords, and no whole words but the common ones. The order is from the last word to the
first, as in a language that has verbs and nouns where English has what depends on them.

Source: K et al. 2020 (English in other characters as a second language); Dufter & Schütze 2020 (the
same with its words in the opposite order).
Departs: they replace every word; languages of one family have many words in common.

Read before this: world.py.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from mlm_core.text.mini_world.scenes import NAMES, SHARED_LISTS
from mlm_core.text.mini_world.world import WorldSentence

Kinship = Literal["related", "unrelated"]
KINSHIPS: tuple[Kinship, ...] = get_args(Kinship)

LETTERS, OTHER_LETTERS = "aeioubpdtgkfvszlrmnhjcwxy", "eiouapbtdkgvfzsrlnmjhwcyx"
REPLACED = str.maketrans(LETTERS + LETTERS.upper(), OTHER_LETTERS + OTHER_LETTERS.upper())
LAST_SHARED = "m"  # first letter of the words that related languages share; about half of a text
# Written with a capital inside a sentence too.
PROPER_NAMES = frozenset(f"{NAMES['man']} {NAMES['woman']} {SHARED_LISTS['day']}".split())


def words_of(sentence: WorldSentence) -> tuple[str, ...]:
    """Return a sentence's words without the final stop and the capital of its beginning."""
    first, *others = sentence.words[:-1]
    return (first if first in PROPER_NAMES else first.lower(), *others)


def second_word(word: str, kinship: Kinship) -> str:
    """Return a word of the second language.

    >>> [second_word(word, "related") for word in ("bank", "the", "Tom")]
    ['bank', 'dji', 'Dun']
    """
    is_shared = kinship == "related" and word[0].lower() <= LAST_SHARED
    return word if is_shared else word.translate(REPLACED)


def written(words: Sequence[str]) -> str:
    """Return words as a sentence.

    >>> written(["the", "bank"])
    'The bank.'
    """
    text = " ".join(words)
    return f"{text[0].upper()}{text[1:]}."


def in_second_language(
    sentence: WorldSentence, kinship: Kinship, *, first_order: bool = False
) -> str:
    """Return a sentence in the second language; `first_order`: in the first one's word order."""
    words = [second_word(word, kinship) for word in words_of(sentence)]
    return written(words if first_order else words[::-1])
