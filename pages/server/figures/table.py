"""A small table: the numbers behind a figure, as text in the page and as a CSV file.

Not pandas, which st.dataframe would import: it takes 65 MB that a small server doesn't have.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.number_format import NumberMarks, current_marks, formatted
from pages.server.course.words import Text, as_text, read_words

if TYPE_CHECKING:
    import numpy as np

MOST_BYTES = 4_000  # of the page, as all of it goes with a change there; the file has all rows
SCROLLS_FROM = 10  # rows
DIGITS = 7  # what a float32 knows
# Source: OWASP, "CSV injection"; the last four are the first four in Asian scripts.
OPENS_FORMULA = "=+-@\t\r\n＝＋－＠"
# A German Excel splits at ";", others at a tab, and some readers don't know of quotes. So what is
# inside an entry may come to begin a cell there: a formula gets its apostrophe there, too, and a
# separator at the end a space, or it would turn the quote behind it into one that opens.
_MAY_BEGIN_A_CELL = re.compile(r'(?<=[;,\t\r\n])(?="*[=+@＝＋－＠-])')
_SEPARATOR_AT_END = re.compile(r'(?<=[;\t\r\n])(?="*\Z)')
_KEPT_A_TEXT = re.compile(rf"""(?:^|(?<=[;,]))'(?="*[{re.escape(OPENS_FORMULA)}])""")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


class Table:
    """Rows under named columns."""

    def __init__(
        self,
        data: Mapping[str, Iterable] | Sequence[Any],
        columns: Sequence[str] | None = None,
    ) -> None:
        """Take columns by name, or rows by name, or bare rows with `columns`.

        A name is a key of columns.md, or a `Text` that stands as it is.
        """
        self.columns: list[str]
        if isinstance(data, Mapping):
            self.columns = list(data)
            self.rows = [list(row) for row in zip(*data.values(), strict=True)]
        elif columns is not None:
            if any(isinstance(row, Mapping) for row in data):
                raise TypeError("rows by name have their columns: give none")
            self.columns, self.rows = list(columns), [list(row) for row in data]
        else:
            self.columns = list(dict.fromkeys(name for row in data for name in row))
            self.rows = [[row.get(name) for name in self.columns] for row in data]
        self.keys = self.columns
        # Here and not in csv(): a button calls that where no visit has a language.
        self.columns = [titled(name) for name in self.columns]
        self.rows = [[_named(entry) for entry in row] for row in self.rows]
        self._marks = current_marks()

    def csv(self) -> bytes:
        """Return the table as a CSV file that spreadsheets take for UTF-8 and run nothing of.

        A spreadsheet whose decimals begin with a comma expects a semicolon between the cells.
        """
        text, marks = io.StringIO(), self._marks
        # Every text in quotes: between them nothing can be the rest of a number that stands before.
        writer = csv.writer(
            text,
            delimiter=";" if marks.decimal == "," else ",",
            lineterminator="\r\n",
            quoting=csv.QUOTE_NONNUMERIC,
        )
        for row in (self.columns, *self.rows):
            writer.writerow([_in_file(entry, marks) for entry in row])
        return text.getvalue().encode("utf-8-sig")

    def show(self) -> None:
        """Write the table into the page; a long one scrolls, and says what it leaves out."""
        is_number = [
            all(isinstance(row[k], int | float | None) for row in self.rows)
            for k in range(len(self.columns))
        ]
        head = [
            _line(as_text(name) for name in self.columns),
            _line("---:" if number else "---" for number in is_number),
        ]
        shown = list(self._first_lines(MOST_BYTES - sum(map(_n_bytes, head))))
        with st.container(height=380 if len(self.rows) > SCROLLS_FROM else "content", border=False):
            st.markdown("\n".join([*head, *shown]))
        if len(self.rows) > len(shown):
            words = read_words("frame")
            st.caption(words.section("table_cut", shown=len(shown), n=len(self.rows)))

    def _first_lines(self, n_bytes: int) -> Iterator[str]:
        """Give as many rows as take `n_bytes` in the page; the first one in any case."""
        for number, row in enumerate(self.rows):
            line = _line(_entry(entry) for entry in row)
            n_bytes -= _n_bytes(line)
            if number and n_bytes < 0:
                return
            yield line


def table_of_heads(
    weights: "Sequence[np.ndarray]",
    names: list[str],
    lengths: "Sequence[np.ndarray]" = (),
    length_word: str = "",
) -> Table:
    """Return all heads' weights, a line a query: one for each weight would be hundreds of MB.

    A head's last line has the `lengths` of its values, if there are any.
    """
    keys = [Text(f"{j} {key}") for j, key in enumerate(names)]
    lines: list[list[Any]] = []
    for i, layer in enumerate(weights):
        for k, head in enumerate(layer):
            lines += [[i + 1, k + 1, j, names[j], *row] for j, row in enumerate(head.tolist())]
            if len(lengths):
                lines.append([i + 1, k + 1, None, length_word, *lengths[i][k].tolist()])
    return Table(lines, ["layer", "head", "query", "query_token", *keys])


def titled(name: str) -> str:
    """Return a column's title in the visit's language; a `Text` is its own.

    Raises KeyError for a name without a title, in a lesson's section "columns" or in columns.md.
    """
    if isinstance(name, Text):
        return name
    words = read_words("columns")
    if not words.has(name):
        raise KeyError(f"a lesson's section columns and columns.md have no title of {name!r}")
    return words.plain(name)


def as_typed(cell: str) -> str:
    """Return a cell of a table's file without the apostrophes that keep it from being a formula.

    >>> as_typed("'=1 bank")
    '=1 bank'
    """
    return _KEPT_A_TEXT.sub("", " ".join(cell.split()))


class _Written(float):
    """A number that csv writes with the decimal mark given, as a number and not as a text."""

    decimal: str

    def __new__(cls, value: float, decimal: str) -> "_Written":
        number = super().__new__(cls, value)
        number.decimal = decimal
        return number

    def __str__(self) -> str:
        return repr(float(self)).replace(".", self.decimal)


def _in_file(entry: object, marks: NumberMarks) -> object:
    if isinstance(entry, float):
        return entry if marks.decimal == "." else _Written(entry, marks.decimal)
    return _inert(entry)


def _named(entry: object) -> object:
    if isinstance(entry, bool):
        return read_words("columns").plain("yes" if entry else "no")
    return entry


def _inert(entry: object) -> object:
    """Return an entry that a spreadsheet doesn't take for a formula, wherever it splits the line.

    An apostrophe in front makes it a text there. Numbers stay, and a mark all alone, which is
    no formula and often a token.

    >>> [_inert(entry) for entry in ("=1+1", "-", "-0.5", -0.5, "a=b", "a;=b")]
    ["'=1+1", '-', '-0.5', -0.5, 'a=b', "a;'=b"]
    """
    if not isinstance(entry, str) or NUMBER.fullmatch(entry):
        return entry
    text = _SEPARATOR_AT_END.sub(" ", _MAY_BEGIN_A_CELL.sub("'", entry))
    return f"'{text}" if len(text) > 1 and text[0] in OPENS_FORMULA else text


def _line(entries: Iterable[str]) -> str:
    return f"| {' | '.join(entries)} |"


def _n_bytes(line: str) -> int:
    return len(line.encode()) + 1  # the line break


def _entry(entry: object) -> str:
    if entry is None:
        return ""
    if isinstance(entry, float):
        # No mark of a number opens markup inside a cell, so none needs its backslash.
        return formatted(entry, f".{DIGITS}g")
    return as_text(str(entry))
