"""The words of the app: Markdown files, cut into named sections.

Those of a lesson are in its own folder: `masking` is pages/lessons/masking/<language>/words.md,
`overview/masking` is overview.md beside it, and `exercises/masking` is exercises.md. All others
are in pages/text/<language>/. Some sections are gathered: the titles of columns and the rows of the
textbook are sections of the lessons' words.

A section begins with "## name" and ends at the next one. The section "labels" holds one
"key: text" a line, for widgets. "{{name}}" in a text is filled with a value; what a learner
typed is escaped on the way in, so that it can't become markup, a link or an icon. A number is
written as the text says, in the reader's language:

    {{x:.2f}} {{x:,}}   as Python's formats say
    {{x:%.1f}}          in per cent, without the sign
    {{x:~3}}            with three significant digits
    {{x:$.2f}}          inside a formula

What goes with a number has a form for 1: "{{n}} {{n|word is|words are}} left out".

A fraction that isn't told how is written with the language's marks. "[[term]]" in a section is
explained in place (terms.py). What a translation lacks is shown in the first language.
"""

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

from mlm_core.figures.theme import printable, significant
from mlm_core.number_format import (
    NumberMarks,
    formatted,
    in_formula,
    marks_of,
    power_of_ten,
)
from pages.server.course.language import FIRST, TEXT_FOLDER, current, read_on
from pages.server.course.lessons import FAULTS, FOLDERS, OURS, SLUGS, folder_of, shown
from pages.server.course.sections import labels_in, sections_in
from pages.server.course.terms import explained

OF_ELSEWHERE = "elsewhere"  # words about lessons from elsewhere, and of those with a fault
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII mark, so none can open markup
# Streamlit's front end searches the parsed text, where no backslash is left, a second time: for
# addresses (GFM's literal autolinks), for icons and emoji, and for arrows and dashes. It reads
# one piece of text at a time, so each of these is cut in two.
_FOUND_LATER = re.compile(
    r"""(?<=:)(?=//|[+-]*\w[\w+-]*(?::|\Z))  # http://, :material_home:, :smile:
    |(?<=w)(?=ww(?!w))  # www.
    |(?<=[-.\w+]@)(?=[-\w]+\.|-*\w[-\w]*\Z)  # a@b.de
    |(?:(?<=\A-)|(?<=\s-))(?=[->](?!\S))  # -- and ->
    |(?:(?<=\A<)|(?<=\s<))(?=->?(?!\S))  # <- and <->
    |(?:(?<=\A[<>~])|(?<=\s[<>~]))(?==(?!\S))  # <= and >= and ~=
    |(?:(?<=\A<-)|(?<=\s<-))(?=>(?!\S))  # the second half of <->""",
    re.VERBOSE | re.IGNORECASE,
)
# A value by its name, then the forms for 1 and for other numbers, or how a number is written.
_VALUE = re.compile(r"\{\{(\w+)(?:\|([^{}|]*)\|([^{}|]*)|:([^{}]+))?\}\}")
# A section that also has what each lesson says in a section of its own.
GATHERED = {("columns", "labels"): "columns", ("look_it_up", "textbook"): "textbook"}
# Small text without a letter: nothing to see and nothing that is copied. No learner can type it,
# since their colon is escaped.
CUT = ":small[]"


def as_text(learners: str) -> str:
    r"""Return a learner's text for use inside Markdown, where it stays plain text.

    >>> as_text("*a* $b$"), as_text("www.a.de")
    ('\\*a\\* \\$b\\$', 'w:small[]ww\\.a\\.de')
    """
    cut = _FOUND_LATER.sub("\0", printable(learners))  # printable() has replaced each \0
    return _PUNCTUATION.sub(r"\\\1", cut).replace("\0", CUT)


class Text(str):
    """A text as a reader sees it, and no name of one: from these files, a learner's, or a sign."""

    __slots__ = ()


class Words:
    """The sections and labels of one file, in one language."""

    def __init__(self, name: str, sections: dict[str, str]) -> None:
        self._name, self._sections = name, sections
        self._labels = labels_in(sections.get("labels", ""))

    def section(self, section: str, **values: object) -> str:
        """Return a section's Markdown with its values filled in.

        Raises KeyError if the file has no such section.
        """
        return _fill(self._section(section), values)

    def file(self, section: str, **values: object) -> str:
        """Return a section as the text of a file: values are filled in as they are.

        Raises KeyError if there is no such section.
        """
        return _fill(self._section(section), values, escape=False) + "\n"

    def label(self, key: str, **values: object) -> str:
        """Return one short text from the section "labels".

        Raises KeyError if the file has no such label.
        """
        return Text(_fill(self._label(key), values))

    def plain(self, key: str, **values: object) -> str:
        """Return one short text for where no Markdown is read: alt texts, drawings, charts.

        Values are filled in as they are; who draws the text escapes it.
        """
        return Text(_fill(self._label(key), values, escape=False))

    def has(self, name: str, *, is_section: bool = False) -> bool:
        """Return whether there is a label of that name, or a section."""
        return name in (self._sections if is_section else self._labels)

    def _section(self, section: str) -> str:
        if section not in self._sections:
            raise KeyError(f"{shown_file(self._name)} has no section {section!r}")
        return self._sections[section]

    def _label(self, key: str) -> str:
        if key not in self._labels:
            raise KeyError(f"{shown_file(self._name)} has no label {key!r}")
        return self._labels[key]


def read_words(name: str, language: str | None = None) -> Words:
    """Return the words of that name, in the visit's language by default."""
    return _words(name, language or current())


def read_examples(page: str) -> Words:
    """Return the words with a page's examples, in the language that it reads."""
    return read_words(page, read_on(page))


def number_marks() -> NumberMarks:
    """Return what separates the parts of a number in the visit's language."""
    return marks_of(read_words("frame").plain("a_number"))


@cache
def _words(name: str, language: str) -> Words:
    ours, theirs = sections_of(name, FIRST), sections_of(name, language)
    labels = "\n".join(each["labels"] for each in (ours, theirs) if "labels" in each)
    marked = [(ours, FIRST), (theirs, language)]
    texts = {key: explained(each[key], lang) for each, lang in marked for key in each}
    texts["labels"] = labels
    if (slug := name.rpartition("/")[2]) in FAULTS:  # its page says so in words of ours
        texts = {key: text.replace("{{slug}}", as_text(slug)) for key, text in texts.items()}
    return Words(name, texts)


def file_of(name: str, language: str) -> Path:
    """Return the file with the words of that name, a lesson's in its own folder."""
    kind, _, slug = name.rpartition("/")
    if slug in FAULTS:
        return TEXT_FOLDER / language / f"{OF_ELSEWHERE}.md"
    if slug in SLUGS:
        return folder_of(slug) / language / f"{kind or 'words'}.md"
    return TEXT_FOLDER / language / f"{name}.md"


def shown_file(name: str, language: str = FIRST) -> str:
    """Return the same file as messages name it (lessons.py: shown)."""
    return shown(file_of(name, language))


def is_translated(slug: str) -> bool:
    """Return whether a lesson's words are all in the visit's language."""
    ours, theirs = (sections_of(slug, language) for language in (FIRST, current()))
    labels = (labels_in(one.get("labels", "")).keys() for one in (ours, theirs))
    return ours.keys() <= theirs.keys() and not set.difference(*map(set, labels))


def names_of(language: str = FIRST) -> list[str]:
    """Return the names of all words of a language, those of the lessons first."""
    of_lessons = [f"{kind}{slug}" for kind in ("", "overview/", "exercises/") for slug in SLUGS]
    folder = TEXT_FOLDER / language
    others = sorted(str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.md"))
    return [name for name in of_lessons if file_of(name, language).is_file()] + others


def sections_of(name: str, language: str) -> dict[str, str]:
    """Return the words of that name by section; nothing if there is no file."""
    found = sections_in(file_of(name, language))
    for (file, section), of_lesson in GATHERED.items():
        if file == name:
            # Of two equal names the last counts: ours. The textbook's rows are ours alone.
            slugs = [*FOLDERS, *OURS] if section == "labels" else OURS
            texts = [sections_in(file_of(slug, language)).get(of_lesson, "") for slug in slugs]
            texts.append(found.get(section, ""))
            lines = "\n".join(filter(None, texts)).splitlines()
            found[section] = "\n".join(sorted(lines, key=_row) if section != "labels" else lines)
    return found


def _row(line: str) -> float:
    """Return the number that a line of the textbook begins with, by which the rows are sorted."""
    number = line.partition(" ")[0]
    return float(number) if number.isdecimal() else math.inf


def _fill(text: str, values: dict[str, Any], *, escape: bool = True) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise KeyError(f"a text has {match[0]}, but can be filled with {[*values]} only")
        filled, spec = values[match[1]], match[4] or ""
        if match[2] is not None:
            return match[2] if filled in (1, "1") else match[3]
        if spec or isinstance(filled, float):
            try:
                return _number(filled, spec)
            except ValueError as error:  # it would pass for a sentence of the core's
                raise TypeError(f"a text has {match[0]}, but got {filled!r}: {error}") from error
        return as_text(str(filled)) if escape and not isinstance(filled, int) else str(filled)

    return _VALUE.sub(value, text)


def _number(value: Any, spec: str) -> str:
    if isinstance(value, str | None):
        raise ValueError("that is no number")
    if spec.startswith("%"):
        return formatted(100 * value, spec[1:])
    if spec.startswith("~"):
        return power_of_ten(significant(value, int(spec[1:])))
    return in_formula(value, spec[1:]) if spec.startswith("$") else formatted(value, spec)


def printed_in(slug: str) -> str:
    """Return all words of a lesson's page in the first language, as they are written."""
    files = (file_of(f"{folder}{slug}", FIRST) for folder in ("", "overview/", "exercises/"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())


def questions_of(slug: str) -> list[tuple[str, str]]:
    """Return a lesson's three open questions with their model answers; one may have none."""
    words = read_words(f"overview/{slug}")
    if not words.has("question_1", is_section=True):
        return []
    return [(words.section(f"question_{n}"), words.section(f"answer_{n}")) for n in (1, 2, 3)]
