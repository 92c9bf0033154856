"""Sentences with one marked word, sorted by the sense that the word has in them.

data/senses/<name>.txt holds one word. The lines before the first sense name the word, its forms,
its language and where the sentences come from; then follow the senses, each with its sentences:

    # word: bank
    # forms: bank, banks
    # language: en
    # source: written for this project
    ## river | the land along a river
    We sat on the [bank] and watched the boats.

The brackets mark one occurrence of the word, since a sentence may contain it twice. All
sentences were written for this project; the label is the sense that the writer meant.

data/senses/two_languages has words that English and German spell alike, with the language in place
of the sense.

Source: SLP3 section 11.3.1 for the task (a sense-labelled data set, such as SemCor).

Read before this: ../text/tokens.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from mlm_core.short_repr import short_repr

SENSES_FOLDER = Path(__file__).parents[1] / "data" / "senses"
TWO_LANGUAGES = "two_languages/"  # how the names of the words begin that both languages have


@dataclass(frozen=True, kw_only=True)
class MarkedSentence:
    """A sentence with one marked word."""

    text: str
    start: int  # first character of the word
    end: int  # one past its last character

    def __post_init__(self) -> None:
        """Refuse a mark that holds no word."""
        if not 0 <= self.start < self.end <= len(self.text):
            raise ValueError(
                f"characters {self.start} to {self.end} of a text of {len(self.text)}: mark a word"
                " that stands in it"
            )

    @property
    def target(self) -> str:
        """Return the word as it is written in the sentence."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, kw_only=True)
class Sense:
    """One meaning of a word, with examples."""

    name: str
    gloss: str  # what it means, in a few words
    sentences: tuple[MarkedSentence, ...]


@short_repr()
@dataclass(frozen=True, kw_only=True)
class SenseWord:
    """An ambiguous word and its senses."""

    word: str
    forms: tuple[str, ...]  # that it has in the sentences
    language: str  # two letters; "en, de" of a word of two languages
    source: str
    senses: tuple[Sense, ...]

    @property
    def sentences(self) -> tuple[MarkedSentence, ...]:
        """Return the sentences of all senses, sense by sense."""
        return tuple(sentence for sense in self.senses for sentence in sense.sentences)

    @property
    def sense_numbers(self) -> tuple[int, ...]:
        """Return the number of each sentence's sense, in the order of `sentences`."""
        return tuple(i for i, sense in enumerate(self.senses) for _ in sense.sentences)

    @property
    def most_frequent_accuracy(self) -> float:
        """Return the accuracy of always predicting the most frequent sense."""
        sizes = [len(sense.sentences) for sense in self.senses]
        return max(sizes) / sum(sizes)


def stored_names() -> tuple[str, ...]:
    """Return the names of the stored words: "bank", ..., "die_de" for German "die"."""
    return tuple(sorted(path.stem for path in SENSES_FOLDER.glob("*.txt")))


def two_language_names() -> tuple[str, ...]:
    """Return the names of the words of two languages: "two_languages/die", ..."""
    files = sorted((SENSES_FOLDER / TWO_LANGUAGES).glob("*.txt"))
    return tuple(f"{TWO_LANGUAGES}{path.stem}" for path in files)


def stored_word(name: str) -> SenseWord:
    """Return a stored word.

    Raises ValueError if there is none of that name.
    """
    names = (*stored_names(), *two_language_names())
    if name not in names:
        raise ValueError(f"no sentences for {name!r}: choose one of {', '.join(names)}")
    return read_senses(SENSES_FOLDER / f"{name}.txt")


def read_senses(path: Path) -> SenseWord:
    """Return the word in a file."""
    top, *senses = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    header = dict(re.findall(r"^# (\w+): (.*)$", top, flags=re.MULTILINE))
    return SenseWord(
        word=header["word"],
        forms=tuple(header["forms"].split(", ")),
        language=header["language"],
        source=header["source"],
        senses=tuple(map(_sense, senses)),
    )


def _sense(text: str) -> Sense:
    heading, *lines = text.split("\n")
    name, _, gloss = heading.partition(" | ")
    return Sense(name=name, gloss=gloss, sentences=tuple(map(marked, filter(None, lines))))


def marked(line: str) -> MarkedSentence:
    """Return the sentence of a line, whose word is in brackets.

    >>> marked("The [bank] is steep.").target
    'bank'
    """
    before, _, rest = line.partition("[")
    target, _, after = rest.partition("]")
    start = len(before)
    return MarkedSentence(text=before + target + after, start=start, end=start + len(target))
