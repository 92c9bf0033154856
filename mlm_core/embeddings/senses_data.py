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

Source: SLP3 section 11.3.1 for the task (a sense-labelled data set, such as SemCor).

Read before this: ../text/tokens.py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mlm_core.short_repr import short_repr

SENSES_FOLDER = Path(__file__).parents[1] / "data" / "senses"
HEADER_FIELDS = ("word", "forms", "language", "source")
MARKED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")


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
    language: str  # two letters
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


def stored_names() -> tuple[str, ...]:
    """Return the names of the stored words: "bank", ..., "die_de" for German "die"."""
    return tuple(sorted(path.stem for path in SENSES_FOLDER.glob("*.txt")))


def stored_word(name: str) -> SenseWord:
    """Return a stored word.

    Raises ValueError if there is none of that name.
    """
    names = stored_names()
    if name not in names:
        raise ValueError(f"no sentences for {name!r}: choose one of {', '.join(names)}")
    return read_senses(SENSES_FOLDER / f"{name}.txt")


def read_senses(path: Path) -> SenseWord:
    """Return the word in a file.

    Raises ValueError with the file and the line if it is not written as described above.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name}: byte {error.start} is no UTF-8: save the file in UTF-8"
        ) from error
    header: dict[str, str] = {}
    senses: list[tuple[str, str, list[MarkedSentence]]] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(map(str.strip, lines), start=1):
        try:
            if line.startswith("##"):
                senses.append((*_sense_heading(line, senses), []))
            elif line.startswith("#"):
                _add_header(header, line)
            elif line:
                sentence = _sentence(line, header, senses)
                first = seen.setdefault(" ".join(sentence.text.casefold().split()), number)
                if first != number:
                    raise ValueError(f"the same sentence as in line {first}: keep one of them")
                senses[-1][2].append(sentence)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
    _refuse_unfinished(path.name, header, senses)
    return SenseWord(
        word=header["word"],
        forms=_forms(header),
        language=header["language"],
        source=header["source"],
        senses=tuple(
            Sense(name=name, gloss=gloss, sentences=tuple(sentences))
            for name, gloss, sentences in senses
        ),
    )


def _add_header(header: dict[str, str], line: str) -> None:
    field, colon, value = (part.strip() for part in line.removeprefix("#").partition(":"))
    if not colon or field not in HEADER_FIELDS or not value:
        raise ValueError(
            f"{line!r} is no header: write '# ' and one of {', '.join(HEADER_FIELDS)}, a colon and"
            " its value"
        )
    if field in header:
        raise ValueError(f"a second {field!r}: keep one")
    header[field] = value


def _forms(header: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(form.strip() for form in header["forms"].split(",") if form.strip())


def _sense_heading(
    line: str, senses: list[tuple[str, str, list[MarkedSentence]]]
) -> tuple[str, str]:
    name, bar, gloss = (part.strip() for part in line.removeprefix("##").partition("|"))
    if not (name and bar and gloss):
        raise ValueError(f"{line!r} is no sense: write '## name | what it means'")
    if name in [known for known, _, _ in senses]:
        raise ValueError(f"a second sense {name!r}: give each sense a name of its own")
    return name, gloss


def _sentence(
    line: str, header: Mapping[str, str], senses: list[tuple[str, str, list[MarkedSentence]]]
) -> MarkedSentence:
    if not senses:
        raise ValueError("a sentence before the first sense: write '## name | what it means' first")
    parts = MARKED.fullmatch(line)
    if parts is None:
        raise ValueError(f"{line!r}: put one word, and only one, in square brackets")
    before, target, after = parts.groups()
    known = {form.casefold() for form in _forms(header)} if "forms" in header else set()
    if target.casefold() not in known:
        raise ValueError(f"[{target}] is not among the forms: add it there, or mark another word")
    return MarkedSentence(
        text=before + target + after, start=len(before), end=len(before) + len(target)
    )


def _refuse_unfinished(
    name: str, header: Mapping[str, str], senses: list[tuple[str, str, list[MarkedSentence]]]
) -> None:
    missing = [field for field in HEADER_FIELDS if field not in header]
    if missing:
        raise ValueError(f"{name}: no '# {missing[0]}: ...' at the top: add it")
    if not senses:
        raise ValueError(f"{name}: no senses: write '## name | what it means' and sentences below")
    for sense, _, sentences in senses:
        if not sentences:
            raise ValueError(f"{name}: the sense {sense!r} has no sentence: add one")
