"""How hard the texts are to read: the length of sentences, and a readability index.

LIX is the mean number of words in a sentence plus the percentage of words of more than six
letters (Björnsson, 1968). It needs no syllables and no dictionary, so it reads both languages.
It is worked out here: textstat, which has it too, installs a package named `tests` and needs nltk.
The limits are a little above the present texts' own: most sections are far below them. A text over
a limit is shortened; the limit stays.
"""

import re
from collections.abc import Iterator

import pytest

from pages.server.course.language import languages
from pages.server.course.words import names_of, sections_of
from tests.pages.test_translations import FOR_THE_MODEL

LONGEST_SENTENCE = 28  # words
LARGEST_LIX = {"en": 45, "de": 55}  # German words are longer: their LIX is about 9 higher here
FEWEST_WORDS = 40  # of a section whose index says something
# Lists to look things up in, one entry a line; and a plan of links.
NO_PROSE = {("look_it_up", "questions"), ("look_it_up", "same_words")}
LISTS = ("labels", "columns", "textbook")  # one entry a line
NAMES = names_of()
NO_WORDS = [
    (r"```.*?```", ""),  # code, rows of tables, references in brackets
    (r"^\|.*\|$", ""),
    (r"\([^)]*\d{4}[^)]*\)", ""),
    (r"\[\[([^|\]]+)[^\]]*\]\]", r"\1"),
    (r"\{\{\w+\|[^{}|]*\|([^{}|]*)\}\}", r"\1"),  # as with 7
    (r"\{\{[^{}]+\}\}", "7"),
    (r"\$[^$]*\$|`[^`]*`", "x"),
    (r"[*_]", ""),
]
SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"”“)]*\s+(?=[\w„“\"([−])|(?<=:)\s+(?=[“„])|\s+\| |\n+")


def prose(text: str) -> str:
    for pattern, instead in NO_WORDS:
        text = re.sub(pattern, instead, text, flags=re.DOTALL | re.MULTILINE)
    return text.strip()


def n_words(text: str) -> int:
    return len(re.findall(r"[\w’'-]+", text))


def lix(text: str) -> float:
    words = re.findall(r"[^\W\d_]+", text)
    n_sentences = len([one for one in SENTENCE_ENDS.split(text) if n_words(one)])
    return len(words) / n_sentences + 100 * sum(len(one) > 6 for one in words) / len(words)


def sections(language: str) -> Iterator[tuple[str, str]]:
    for name in NAMES:
        for section, text in sections_of(name, language).items():
            if section not in LISTS and (name, section) not in FOR_THE_MODEL | NO_PROSE:
                yield f"{name}, {section}", prose(text)


def test_sentences_are_told_apart_by_hand():
    text = prose("A **mask** hides {{n}} words (Devlin et al., 2019). “Why?” It is $x$.")
    assert text == "A mask hides 7 words . “Why?” It is x."
    assert [n_words(one) for one in SENTENCE_ENDS.split(text)] == [5, 1, 3]
    assert lix("A mask hides words. Encoders predict them.") == 7 / 2 + 100 * 2 / 7


@pytest.mark.parametrize("language", languages())
def test_no_sentence_is_too_long(language: str):
    too_long = {
        where: sentence
        for where, text in sections(language)
        for sentence in SENTENCE_ENDS.split(text)
        if n_words(sentence) > LONGEST_SENTENCE
    }
    assert not too_long


@pytest.mark.parametrize("language", languages())
def test_no_section_is_too_hard_to_read(language: str):
    index = {
        where: lix(text) for where, text in sections(language) if n_words(text) >= FEWEST_WORDS
    }
    assert len(index) > 100
    assert not {where: one for where, one in index.items() if one > LARGEST_LIX[language]}
