r"""The output of anybody's masking generator, one text a line, read with trust in nothing.

A line is three lists of equal length, as JSON (on one line) or as columns between tabs:

    {"tokens": ["[CLS]", "cats", "sleep"], "inputs": ["[CLS]", "[MASK]", "sleep"],
     "labels": [-100, "cats", -100]}
    [CLS] cats sleep <tab> [CLS] [MASK] sleep <tab> -100 cats -100

-100 or null marks a position without a loss. A line that is anything else is left out.

Source: the manual's exercise 1 (bert-manual, section 9) asks for such a generator.

Read before this: steps.py. Read next: generator_check.py.
"""

import json
from typing import NamedTuple

from mlm_core.masking.rule import IGNORED_LABEL

FIELDS = ("tokens", "inputs", "labels")


class Example(NamedTuple):
    """One text as a generator wrote it."""

    line: int  # its number in the file, from 1
    tokens: tuple[str, ...]  # before the corruption
    inputs: tuple[str, ...]  # what the encoder sees
    labels: tuple[str | None, ...]  # None: without a loss


def read_output(text: str) -> tuple[list[Example], list[int]]:
    r"""Return the texts of a file, and the numbers of the lines that can't be read.

    Empty lines and a line with the names of the columns don't count.

    >>> read_output("[CLS] a\t[CLS] [MASK]\t-100 a\n{")
    ([Example(line=1, tokens=('[CLS]', 'a'), inputs=('[CLS]', '[MASK]'), labels=(None, 'a'))], [2])
    """
    examples, unreadable = [], []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \r")
        if line in ("", "\t".join(FIELDS)):
            continue
        columns = _columns(line)
        texts = [one for column in columns for one in column if one is not None]
        lengths = {len(column) for column in columns}
        if texts and len(lengths) == 1 and all(isinstance(one, str) for one in texts):
            examples.append(Example(number, *map(tuple, columns)))
        else:
            unreadable.append(number)
    return examples, unreadable


def _columns(line: str) -> list[list]:
    """Return a line's three lists, with None for no loss; none if there aren't three."""
    columns: list = [column.split() for column in line.split("\t")]
    if len(columns) != len(FIELDS):  # JSON: a tab inside would be written \t
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # also a number or nesting without end
            return []
        columns = [entry.get(name) for name in FIELDS] if isinstance(entry, dict) else []
    if not columns or not all(isinstance(column, list) for column in columns):
        return []
    ignored = (None, IGNORED_LABEL, str(IGNORED_LABEL))
    *rest, labels = columns
    return [*rest, [None if label in ignored else label for label in labels]]
