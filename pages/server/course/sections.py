"""A file of words, cut into its sections: the format, without what is filled in (words.py)."""

import re
from pathlib import Path

from mlm_core.number_format import NARROW_SPACE

TEXT_FOLDER = Path(__file__).parents[2] / "text"
FIRST = "en"  # the language that the others are translated from
IN_LINK = "lang"


def sections_in(file: Path) -> dict[str, str]:
    """Return a file's texts by section; nothing if there is no file."""
    text = file.read_text(encoding="utf-8-sig") if file.is_file() else ""  # with a BOM or without
    text = re.sub(r"(?<=[\d}]) %", "\u00a0%", text)  # no line ends between a number and its sign
    text = re.sub(r"(?<=\d) (?=\d{3}(?!\w))", NARROW_SPACE, text)  # nor inside of 16 000
    parts = re.split(r"^## +(\S+) *$", text, flags=re.MULTILINE)
    return {parts[i]: parts[i + 1].strip() for i in range(1, len(parts), 2)}


def labels_in(text: str) -> dict[str, str]:
    r"""Return the short texts of a section with one "key: text" a line.

    >>> labels_in("title: My topic\nquestion: Why?")
    {'title': 'My topic', 'question': 'Why?'}
    """
    lines = (line.partition(":") for line in text.splitlines())
    return {key.strip(): label.strip() for key, colon, label in lines if colon}
