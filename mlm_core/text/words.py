"""Where a word begins and ends in a text, in any script.

    Don't stop   →   Don't | stop            an apostrophe joins
    कला सीखो      →   कला | सीखो                a vowel sign belongs to its letter
    我在银行       →   我 | 在 | 银 | 行           without spaces each ideograph is a word

The borders are Unicode's word boundaries (UAX #29). Chinese, Japanese and Thai write no spaces,
so 银行 is found between any two borders. A word is looked for without regard to its case, and to
how its letters are coded: "é" is one character or two. Inside "art's" and "l'eau", "art" and "eau"
are found: a punctuation mark is a border there, as in BERT's own splitter.

Source: UAX #29 (text segmentation) and UAX #15 (normalization), by the `regex` library. Departs:
underscores around a word are no part of it.

Read before this: ../shapes.py. Read next: sentences.py.
"""

from collections.abc import Iterable
from itertools import pairwise
from unicodedata import normalize

import regex

# The Thai and Lao vowel "am" is one letter with the one before it.
_BORDER = r"\b(?![\u0e33\u0eb3])"
# From one border to the next. A flag is two characters; at each border between flags the library
# would count them from the first one.
SEGMENT = regex.compile(
    rf"\p{{RI}}\p{{RI}}?[\p{{M}}\p{{Cf}}]*+|[^\p{{RI}}].*?(?:(?=\p{{RI}})|{_BORDER})",
    regex.WORD | regex.DOTALL,
)
_WORD = regex.compile(rf"(?=[\p{{L}}\p{{N}}_]){_BORDER}(?:{SEGMENT.pattern})", SEGMENT.flags)
# Frequent words that say little of what a sentence is about, in English and German.
FUNCTION_WORDS = frozenset(
    "a about after all am an and are as at be been before but by can could did do does for from"
    " had has have he her here him his how i if in into is it its me my no not of on one or our"
    " out over she should so that the their them then there they this to too under until up us"
    " very was we were what when where which who why will with would you your"
    " aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du durch ein"
    " eine einem einen einer eines er es für hat hatte habe ich ihm ihn ihr im in ist ja kann"
    " kein keine mein mich mir mit nach nicht noch nun nur ob oder schon sehr sein seine sich"
    " sie sind so um und uns unser unter vom von vor war waren was wenn wer wie wir wird wo zu"
    " zum zur über".split()
)
_MARK = regex.compile(r"\p{P}")
# Not seen (joiners, soft hyphens), or seldom written: the vowels of Arabic and Hebrew, Arabic's
# long line. The dot of "i" is there in the small form of Turkish "İ".
_IGNORED = regex.compile(
    r"[\p{DI}\u0640\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7]|(?<=i)\u0307"
)
_SAME = str.maketrans({"ı": "i", "’": "'", "ʼ": "'", "‐": "-", "‑": "-", "\u00a0": " "})


def fold(text: str) -> str:
    """Return a text without differences of case, coding and marks that are often left out.

    >>> fold("Straße"), fold("İstanbul"), fold("cafe\u0301") == fold("CAFÉ")
    ('strasse', 'istanbul', True)
    """
    if text.isascii():
        return text.lower()
    folded = normalize("NFD", normalize("NFD", text).casefold())
    return normalize("NFC", _IGNORED.sub("", folded).translate(_SAME))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return each word's first character and one past its last; a word has a letter or a digit.

    >>> word_spans("Don't, 我们")
    [(0, 5), (7, 8), (8, 9)]
    """
    spans = []
    for word in _WORD.finditer(text):
        start, stop = word.span()
        while start < stop and text[start] == "_":
            start += 1
        while start < stop and text[stop - 1] == "_":
            stop -= 1
        if start < stop:
            spans.append((start, stop))
    return spans


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded.

    >>> words_of("Its 3 CAFÉS")
    ['its', '3', 'cafés']
    """
    return [fold(text[start:stop]) for start, stop in word_spans(text)]


def has_content(word: str) -> bool:
    """Return whether a word says what a sentence is about: it is none of the frequent ones.

    >>> has_content("Soup"), has_content("With")
    (True, False)
    """
    return fold(word) not in FUNCTION_WORDS


def first_half(text: str) -> str:
    """Return the first half of a text's words, and the word in the middle.

    >>> first_half("We had hot soup.")
    'We had hot'
    """
    words = text.split()
    return " ".join(words[: len(words) // 2 + 1])


def with_blanks(text: str, n: int = 1) -> str:
    """Return a text with its last `n` words of content as blanks; "" if it has no more than these.

    A text that has a blank already is "", too.

    >>> with_blanks("The cat sat on it."), with_blanks("We eat hot soup.", 2), with_blanks("Go!")
    ('The cat [MASK] on it.', 'We eat [MASK] [MASK].', '')
    """
    spans = word_spans(text)
    content = [span for span in spans if has_content(text[slice(*span)])]
    if len(content) < n or len(spans) == n or "[MASK]" in text:
        return ""
    for start, stop in reversed(content[-n:]):
        text = f"{text[:start]}[MASK]{text[stop:]}"
    return text


def find_whole(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return where one of the words begins and ends in a text, as a whole.

    Of words that begin at one place the longest is found, "New York" before "New".

    >>> find_whole("我在银行工作", ["银行"]), find_whole("party art's", ["ART"])
    ([(2, 4)], [(6, 9)])
    """
    wanted = sorted({fold(word.strip()) for word in words} - {""}, key=len, reverse=True)
    folded = fold(text)
    if not any(word in folded for word in wanted):
        return []
    starts, stops, length = {}, {}, 0  # places in the text by places in its folded form
    for start, stop in pairwise(_borders(text)):
        starts[length] = start
        length += len(fold(text[start:stop]))
        stops.setdefault(length, stop)
    spans: list[tuple[int, int]] = []
    end = 0
    for place, start in starts.items():
        found = (stops.get(place + len(word)) for word in wanted if folded.startswith(word, place))
        stop = next(filter(None, found), None)
        if stop is not None and start >= end:
            spans.append((start, stop))
            end = stop
    return spans


def _borders(text: str) -> list[int]:
    """Return the places where a word that is looked for may begin or end, in order."""
    borders = {0, *(segment.end() for segment in SEGMENT.finditer(text))}
    for mark in _MARK.finditer(text):
        borders |= {mark.start(), mark.end()}
    return sorted(borders)
