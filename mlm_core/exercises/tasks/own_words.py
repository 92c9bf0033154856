"""A learner's own sentence: long enough, no word repeated to fill it, no copy of an example.

Exercises that a model checks could else be passed with one word, with the example itself, or
with the same word again and again.

Read before this: ../exercise.py.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from mlm_core.exercises.exercise import UnreadableAnswerError

MOST_ALIKE = 0.6  # of 1: an example of eight words with ten others behind it is just below
MOST_COMPARED = 64  # words of the learner's sentence, since comparing takes their square


def check_own_sentence(text: str, *, fewest: int, examples: Iterable[str] = ()) -> None:
    """Raise UnreadableAnswerError if a text is too short, repeats itself or copies an example.

    >>> check_own_sentence("The old man sat on the bank.", fewest=4)
    >>> try:
    ...     check_own_sentence("bank bank bank bank", fewest=4)
    ... except UnreadableAnswerError as error:
    ...     print(error)
    repeats_itself
    """
    words = words_of(text)
    if len(words) < fewest:
        raise UnreadableAnswerError("too_few_words")
    if len({*words}) < max(2, 0.6 * min(len(words), MOST_COMPARED)):
        raise UnreadableAnswerError("repeats_itself")
    if any(is_copy(text, example) for example in examples):
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


def words_of(text: str) -> list[str]:
    """Return the words of a text without case and marks."""
    return re.findall(r"\w+", text.casefold())
