"""Text files to documents, one at a time, from files of any size.

A file holds one paragraph a line and a blank line between documents, plain or xz-compressed.
Everything here is a generator: no more than one document is in memory.

Source: the input format of google-research/bert (create_pretraining_data.py) had one sentence
a line. Departs: paragraphs come in; corpus.py splits them into sentences.

Read before this: ../text/sentences.py.
"""

import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# Left in the Wikipedia texts by the removal of links, formulas and pronunciations.
_LEFTOVERS = (
    (re.compile(r"\([\s;,\]]+"), "("),  # "(; 30 December 1865" and "(; ]"
    # Matched from the start of a run of spaces only: else the time is quadratic in its length.
    (re.compile(r"(?<![\s;,])[\s;,]*\s\](?!\S)"), ""),
    (re.compile(r"(?<!\s)\s*\(\s*\)"), ""),
    (re.compile(r"\s+"), " "),
)


def read_documents(paths: Iterable[Path]) -> Iterator[list[str]]:
    """Yield each document of the files as its paragraphs, cleaned.

    Raises ValueError if a file is missing or is no UTF-8 text.
    """
    for path in paths:
        paragraphs: list[str] = []
        for line in _lines(path):
            paragraph = clean(line)
            if paragraph:
                paragraphs.append(paragraph)
            elif not line.strip() and paragraphs:
                yield paragraphs
                paragraphs = []
        if paragraphs:
            yield paragraphs


def clean(line: str) -> str:
    """Return a line without brackets that lost their content, and with single spaces.

    >>> clean("Rudyard Kipling (; 30 December 1865) wrote  poems ().")
    'Rudyard Kipling (30 December 1865) wrote poems.'
    """
    for pattern, replacement in _LEFTOVERS:
        line = pattern.sub(replacement, line)
    return line.strip()


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise ValueError(f"no file {path}: name text files, plain or .xz")
    open_text = lzma.open if path.suffix == ".xz" else open
    try:
        with open_text(path, "rt", encoding="utf-8") as file:
            yield from file
    except (UnicodeDecodeError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no UTF-8 text: {error}") from error
