"""A learner's own sentence: real words, none repeated to fill it, no copy of an example.

Exercises that a model checks could else be passed with one word, with the example's words in
another order, with single letters, or with the same word again and again.

Read before this: ../exercise.py, ../../prediction/fillers.py.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher

from tokenizers import Tokenizer

from mlm_core.exercises.exercise import UnreadableAnswerError
from mlm_core.text import corpora
from mlm_core.text.words import words_of

MOST_ALIKE = 0.6  # of 1: an example of eight words with ten others behind it is just below
MOST_SHARED = 0.5  # of a sentence's words that are not among the most frequent
FEWEST_DIFFERENT = 4  # real words of a longer text: "the cat saw the dog" has as many
MOST_COMPARED = 64  # words of the learner's sentence, since comparing takes their square
N_FREQUENT = 60  # words such as "the" and "with", which any two sentences share
PREFIXES = ("re", "un", "in", "dis", "mis", "over", "under", "out", "fore", "non", "pre")
ENDINGS = (
    *("s", "es", "d", "ed", "r", "er", "ers", "rs", "ing", "ings", "ly", "y", "ness", "less"),
    *("ful", "ish", "able", "ment", "ments", "like", "ship", "ships", "hood", "ism", "ist", "ists"),
    *("'s", "'ll", "'re", "'ve", "'d", "n't"),
)


def check_own_sentence(
    text: str, tokenizer: Tokenizer, *, fewest: int, examples: Iterable[str] = ()
) -> None:
    """Raise UnreadableAnswerError if a text is no sentence of the learner's own.

    It needs `fewest` words, must not repeat itself or use the words of an example, and at least
    half of its words must be real ones, some of them different.
    """
    words = words_of(text)
    if len(words) < fewest:
        raise UnreadableAnswerError("too_few_words")
    if len({*words}) < max(2, 0.6 * min(len(words), MOST_COMPARED)):
        raise UnreadableAnswerError("repeats_itself")
    real = real_words(text, tokenizer)
    if len(real) < len(words) / 2 or len({*real}) < min(fewest, FEWEST_DIFFERENT):
        raise UnreadableAnswerError("no_real_words")
    frequent = frequent_words()
    if any(is_copy(text, one) or is_shuffled(text, one, frequent) for one in examples):
        raise UnreadableAnswerError("copies_example")


def is_copy(text: str, example: str) -> bool:
    """Return whether most words of a text stand in an example in the same order, or all of its.

    >>> is_copy("So they sat on the bank and fished.", "They sat on the bank and fished.")
    True
    >>> is_copy("The bank is old.", "The bank of the river is steep.")
    False
    """
    own, other = words_of(text)[:MOST_COMPARED], words_of(example)
    matcher = SequenceMatcher(None, own, other, autojunk=False)
    longest = max((block.size for block in matcher.get_matching_blocks()), default=0)
    return matcher.ratio() > MOST_ALIKE or longest >= max(4, 0.8 * len(other))


def is_shuffled(text: str, example: str, frequent: Collection[str]) -> bool:
    """Return whether most words of a text stand in an example, in any order.

    Frequent words don't count.

    >>> example, frequent = "They sat on the bank and fished.", frequent_words()
    >>> is_shuffled("Fished bank the on sat.", example, frequent)
    True
    >>> is_shuffled("The bank was steep and muddy.", example, frequent)
    False
    """
    own = {*words_of(text)} - {*frequent}
    return len(own & {*words_of(example)}) > MOST_SHARED * len(own)


def real_words(text: str, tokenizer: Tokenizer) -> list[str]:
    """Return the words of a text that stand in our own sentences or are whole in a vocabulary.

    Single letters are no words, but for "a" and "I".
    """
    known = our_words()
    return [word for word in words_of(text) if is_word(word, known) or _is_whole(word, tokenizer)]


def is_word(word: str, known: Collection[str]) -> bool:
    """Return whether a word is among known ones, our_words(), or is made of one or two of them.

    Prefixes and endings may be added; a word inside another has at least three letters.

    >>> known = our_words()
    >>> [is_word(word, known) for word in ("bookcase", "Rewriting", "unhelpful", "lvkqz", "q")]
    [True, True, True, False, False]
    """
    word = word.casefold()
    return word in known or any(
        _is_made_of_words(word.removeprefix(prefix), known) for prefix in ("", *PREFIXES)
    )


def _is_made_of_words(word: str, known: Collection[str]) -> bool:
    stems = {word}
    for _ in range(2):
        stems |= {stem.removesuffix(ending) for stem in stems for ending in ENDINGS}
    # A final e is lost before an ending, and y turns into i.
    stems |= {
        changed
        for stem in stems - {word}
        for changed in (stem + "e", stem[:-1] + "y" if stem.endswith("i") else stem)
    }
    return any(
        _is_part(stem[:i], known) and (i == len(stem) or _is_part(stem[i:], known))
        for stem in stems
        for i in range(3, len(stem) + 1)
    )


def _is_part(word: str, known: Collection[str]) -> bool:
    return len(word) >= 3 and word in known


def _is_whole(word: str, tokenizer: Tokenizer) -> bool:
    from mlm_core.prediction.fillers import word_tokens

    tokens = word_tokens(tokenizer, word) if len(word) >= 3 and word.isalpha() else ()
    return len(tokens) == 1 and not tokens[0].is_special


def our_words() -> frozenset[str]:
    """Return the words of our own sentences; of single letters only "a" and "i".

    Of "baker's" it has "baker" too.
    """
    words = {word for text in corpora.sentences() for word in words_of(text)}
    words |= {word.partition("'")[0] for word in words}
    return frozenset(word for word in words if not word.isdecimal() and len(word) > 1) | {"a", "i"}


def frequent_words() -> frozenset[str]:
    """Return the most frequent words of our own sentences."""
    counts = Counter(word for text in corpora.sentences() for word in words_of(text))
    return frozenset(word for word, _ in counts.most_common(N_FREQUENT))


def stem(word: str) -> str:
    """Return a word without the commonest English endings, by a rule that knows no words.

    >>> [stem(word) for word in ("cities", "city", "children", "child", "years", "boxes", "bus")]
    ['cit', 'cit', 'child', 'child', 'year', 'box', 'bus']
    >>> [stem(word) for word in ("moves", "moving", "hitting", "hit", "lends", "spring")]
    ['mov', 'mov', 'hit', 'hit', 'lend', 'spring']
    """
    word = word.casefold()
    for ending, shortest in (("ies", 3), ("ren", 5), ("ing", 3), ("ed", 3), ("s", 3)):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= shortest and re.search("[aeiouy]", rest):
            word = rest
            break
    if re.search("(s|x|z|ch|sh)e$", word):
        word = word[:-1]
    word = re.sub("[eiy]$", "", word) if len(word) > 3 else word
    return re.sub(r"([^aeiou])\1$", r"\1", word)


def word_with_stem_of(text: str, others: Iterable[str]) -> str | None:
    """Return the first word of a text that is one of `others` but for its ending.

    >>> word_with_stem_of("Two cities by the sea", ["city"])
    'cities'
    """
    stems = {stem(other) for other in others}
    return next((word for word in words_of(text) if stem(word) in stems), None)
