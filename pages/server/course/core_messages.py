"""The core's own sentences in the reader's language: errors, faults, what ended a run.

mlm_core writes them in English, and the English is what they are found by, as in gettext.
pages/text/<language>/messages.md has two lines for each, its values numbered in order:

    en: {{1}} tokens, but this model has positions for {{2}}: shorten the text
    de: {{1}} Token, aber dieses Modell hat Positionen für {{2}}: Kürze den Text

A value is carried over as it stands, for it may be what somebody typed. One that is a sentence
of the core itself is written {{2!}} in the translation, and translated in its turn.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pages.server.course.language import FIRST, TEXT_FOLDER, current

MOST_LINES = 4  # beside the first one
DEEPEST = 3  # sentences within sentences; the name of a file could nest thousands

_VALUE = re.compile(r"\{\{(\d+)(!?)\}\}")


@dataclass(frozen=True, kw_only=True)
class Message:
    """One sentence in two languages."""

    literals: tuple[str, ...]  # of the English: what stands before, between and behind values
    translation: str  # with {{1}}, {{2!}}, ... where the values go

    @property
    def has_inner(self) -> bool:
        """Return whether a value is a sentence, too."""
        return any(match[2] for match in _VALUE.finditer(self.translation))

    def values_in(self, sentence: str) -> list[str] | None:
        """Return what stands in the places of the values, None if this is another sentence.

        Each literal is looked for once, from where the one before ended; so the time grows with
        the length of the sentence and never with its square.

        >>> one = Message(literals=("", " of ", " tokens"), translation="")
        >>> one.values_in("3 of 7 tokens"), one.values_in("3 of 7 words")
        (['3', '7'], None)
        """
        first, *middle = self.literals
        if not middle:
            return [] if sentence == first else None
        last = middle.pop()
        start, stop = len(first), len(sentence) - len(last)
        if not (sentence.startswith(first) and sentence.endswith(last) and start <= stop):
            return None
        values = []
        for literal in middle:
            found = sentence.find(literal, start, stop)
            if found < 0:
                return None
            values.append(sentence[start:found])
            start = found + len(literal)
        return [*values, sentence[start:stop]]


def translated(message: str, language: str | None = None) -> str:
    """Return a sentence of the core in a language, in the visit's if none is given.

    A message of several lines has a sentence on each. What has no translation stays English:
    better than no sentence at all.
    """
    language = current() if language is None else language
    if language == FIRST:
        return message
    messages = read_messages(language)
    whole = _translated(message, messages, DEEPEST)
    if whole != message or message.count("\n") > MOST_LINES:
        return whole
    return "\n".join(_translated(line, messages, DEEPEST) for line in message.split("\n"))


@cache
def read_messages(language: str) -> tuple[Message, ...]:
    """Return a language's sentences in the order in which to try them.

    First those that have others inside, for the inner one ends like the whole; then those that
    say most by themselves.
    """
    found = [message_of(english, other) for english, other in read_pairs(language)]
    return tuple(sorted(found, key=lambda one: (not one.has_inner, -sum(map(len, one.literals)))))


def read_pairs(language: str) -> list[tuple[str, str]]:
    """Return the English and the other line of each sentence; none if there is no file."""
    file = TEXT_FOLDER / language / "messages.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return re.findall(rf"^{FIRST}: (.*)\n{language}: (.*)$", text, flags=re.MULTILINE)


def message_of(english: str, other: str) -> Message:
    """Return a sentence of the file.

    >>> message_of("{{1}} of {{2}}", "von {{2}}: {{1}}").literals
    ('', ' of ', '')
    """
    return Message(literals=tuple(_VALUE.split(english)[::3]), translation=other)


def _translated(sentence: str, messages: Sequence[Message], depth: int) -> str:
    for message in messages if depth else ():
        values = message.values_in(sentence)
        if values is not None:
            return _filled(message.translation, values, messages, depth)
    return sentence


def _filled(text: str, values: Sequence[str], messages: Sequence[Message], depth: int) -> str:
    def value(match: re.Match[str]) -> str:
        one = values[int(match[1]) - 1]
        return _translated(one, messages, depth - 1) if match[2] else one

    return _VALUE.sub(value, text)
