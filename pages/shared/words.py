"""The words of the app: Markdown files under pages/text/<language>/, cut into named sections.

A section begins with "## name" and ends at the next one. The section "labels" holds one
"key: text" a line, for widgets. "{{name}}" in a text is filled with a value; what a learner
typed is escaped on the way in, so that it can't become markup.
"""

import re
from functools import cache
from pathlib import Path

from mlm_core.figures.theme import printable

TEXT_FOLDER = Path(__file__).parents[1] / "text"
LANGUAGE = "en"

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII mark, so none can open markup


def as_text(learners: str) -> str:
    r"""Return a learner's text for use inside Markdown, where it stays plain text.

    >>> as_text("*a* $b$")
    '\\*a\\* \\$b\\$'
    """
    return _PUNCTUATION.sub(r"\\\1", printable(learners))


class Words:
    """The sections and labels of one file."""

    def __init__(self, name: str, sections: dict[str, str]) -> None:
        self._name, self._sections = name, sections
        lines = sections.get("labels", "").splitlines()
        self._labels = {
            key.strip(): text.strip()
            for key, _, text in (line.partition(":") for line in lines if ":" in line)
        }

    def section(self, section: str, **values: object) -> str:
        """Return a section's Markdown with its values filled in.

        Raises KeyError if the file has no such section.
        """
        if section not in self._sections:
            raise KeyError(f"pages/text/{LANGUAGE}/{self._name}.md has no section {section!r}")
        return _fill(self._sections[section], values)

    def label(self, key: str, **values: object) -> str:
        """Return one short text from the section "labels".

        Raises KeyError if the file has no such label.
        """
        return _fill(self._label(key), values)

    def plain(self, key: str, **values: object) -> str:
        """Return one short text for where no Markdown is read: alt texts, drawings, charts.

        Values are filled in as they are; who draws the text escapes it.
        """
        return _fill(self._label(key), values, escape=False)

    def _label(self, key: str) -> str:
        if key not in self._labels:
            raise KeyError(f"pages/text/{LANGUAGE}/{self._name}.md has no label {key!r}")
        return self._labels[key]


@cache
def read_words(name: str, language: str = LANGUAGE) -> Words:
    """Return the words of pages/text/<language>/<name>.md."""
    text = (TEXT_FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## +(\S+) *$", text, flags=re.MULTILINE)
    sections = {parts[i]: parts[i + 1].strip() for i in range(1, len(parts), 2)}
    return Words(name, sections)


def _fill(text: str, values: dict[str, object], *, escape: bool = True) -> str:
    def value(match: re.Match[str]) -> str:
        filled = values[match[1]]
        return as_text(filled) if escape and isinstance(filled, str) else str(filled)

    return re.sub(r"\{\{(\w+)\}\}", value, text)
