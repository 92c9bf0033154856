"""Rows and columns of a table, whatever stands between them.

    tabs, commas, semicolons, pipes  csv reads the quotes; Excel's first line "sep=;" is obeyed
    label text                       the first word of each line, as in SST-2; fastText's __label__,
                                     which may also be the last word
    {"label": "a", "text": "b"}      JSON, see json_records.py

A line that begins with "# " is a comment, unless it has all columns and a class that other rows
have too: a CSV has no comments.

Departs: csv.Sniffer guesses the delimiter by counting characters: it takes the commas of German
sentences for delimiters, and its regular expressions are quadratic. Here each delimiter is tried,
and the one is taken that gives all rows the same number of columns. What pandas reads of such
files is in docs/decisions/0012-files-as-people-have-them.md.

Read before this: own_parts.py, table_columns.py, json_records.py.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from mlm_core.labelled.json_records import MOST_COLUMNS, is_json, json_table
from mlm_core.labelled.own_parts import Format, LineNotes, Roles, Segment, is_comment, shown
from mlm_core.labelled.table_columns import MOST_LABELS, Row, Table, find_roles, has_names
from mlm_core.number_format import grouped

DELIMITERS: dict[Format, str] = {"tabs": "\t", "semicolons": ";", "commas": ",", "pipes": "|"}
EXCELS_LINE = re.compile(r'"?sep=(.)"?')
FASTTEXT = "__label__"
APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
QUOTES = ("''", '""', "“”", "„“", "‘’", "«»")  # as they begin and end
SAME_COLUMNS = 0.8  # of the rows, of a delimiter that is the right one
DOUBLED = {"doublequote": True}
BACKSLASHED = {"doublequote": False, "escapechar": "\\"}


def read_rows(segment: Segment, roles: Roles, notes: LineNotes) -> Table:
    """Return a segment's table; note the lines that can't be read, or are no rows.

    `roles` may say "header": 1 or 0, whether the first row has the names of columns.
    """
    if is_json(line for _, line in segment.lines):
        return json_table(segment, notes)
    wanted, rows = _best(segment, notes)
    n_columns = _usual_size([row for row in rows if not _is_remark(row)])
    if n_columns > MOST_COLUMNS:
        raise ValueError(
            f"{grouped(n_columns)} columns, and {MOST_COLUMNS} are allowed: give one example a line"
        )
    good: list[Row] = []
    is_usual = any(len(row) == n_columns for _, row in rows)
    for number, row in rows:
        if _is_remark((number, row)) and len(row) != n_columns:
            notes.set_aside(number, " ".join(row), "comment")
            continue
        try:
            good.append((number, _checked(number, row, n_columns)))
        except ValueError as error:
            notes.add(error, _cause(row, n_columns, wanted, is_usual=is_usual))
    names = tuple(str(i + 1) for i in range(n_columns))
    table = Table(format=wanted, names=names, has_names=False, rows=tuple(good))
    is_named = roles["header"] == 1 if "header" in roles else has_names(table)
    if is_named and good:
        first = [name.strip() or str(i) for i, name in enumerate(good[0][1], start=1)]
        for number, row in good:
            if row == good[0][1]:  # files that were put together have them again
                notes.set_aside(number, " | ".join(row), "names")
        rest = tuple(one for one in good if one[1] != good[0][1])
        table = replace(table, names=tuple(first), has_names=True, rows=rest)
    _refuse_cut_quotes(table)
    return _without_remarks(table, roles, notes)


def _refuse_cut_quotes(table: Table) -> None:
    """Raise ValueError if most rows have a quote that begins one field and ends another.

    csv knows the straight double quote alone: a delimiter inside of others cuts the text.
    """
    for begin, end in QUOTES:
        cut = [
            (number, row)
            for number, row in table.rows
            if any(
                one.startswith(begin)
                and other.endswith(end)
                and end not in APOSTROPHE.sub("", f"{one[1:]} {other[:-1]}")
                for one, other in pairwise(row)
            )
        ]
        if cut and 2 * len(cut) >= len(table.rows):
            raise ValueError(
                f"line {cut[0][0]}: read {shown(' | '.join(cut[0][1]))}, a text that begins with"
                f" {begin} and is cut before its end: expected such texts in straight double"
                " quotes, or a tab between the columns"
            )


def _is_remark(row: Row) -> bool:
    """Return whether a row began as a comment does."""
    return row[1][0].startswith("# ") or row[1][0].strip() == "#"


def _without_remarks(table: Table, roles: Roles, notes: LineNotes) -> Table:
    """Leave out comments that have as many columns as a row, and a class that no row has."""
    plain = replace(table, rows=tuple(row for row in table.rows if not _is_remark(row)))
    if len(plain.rows) == len(table.rows) or not plain.rows:
        return table
    label = (find_roles(plain) | roles)["label"]
    label = label if label <= len(table.names) else 0
    known = set(plain.columns[label - 1]) if label else set()
    kept = []
    for number, row in table.rows:
        if _is_remark((number, row)) and row[label - 1] not in known:
            notes.set_aside(number, " | ".join(row), "comment")
        else:
            kept.append((number, row))
    return replace(table, rows=tuple(kept))


def _best(segment: Segment, notes: LineNotes) -> tuple[Format, list[Row]]:
    """Return the format that fits a segment best, and its rows; comments are still among them."""
    numbered = segment.lines
    lines = [(number, line) for number, line in numbered if not is_comment(line)]
    if lines and (excels := EXCELS_LINE.fullmatch(lines[0][1].strip(" "))):
        notes.set_aside(*lines[0], "mark")
        numbered = tuple(one for one in numbered if one[0] != lines[0][0])
        if name := next((name for name, mark in DELIMITERS.items() if mark == excels[1]), None):
            return name, list(_csv_rows(numbered, excels[1]))
        lines = lines[1:]
    if 2 * sum("\t" in line for _, line in lines) >= len(lines):
        return "tabs", _tab_rows(numbered)
    for quoting in (DOUBLED, BACKSLASHED):  # "" or \" for a quote inside of quotes
        tried: dict[Format, list[Row]] = {
            name: list(_csv_rows(numbered, mark, quoting))
            for name, mark in DELIMITERS.items()
            if name != "tabs"
        }
        ranked = sorted((*rank, name) for name, of in tried.items() if (rank := _rank(of)))
        is_sure = ranked and (ranked[0][0] <= len(lines) / 2 or len(lines) < 4)
        if not is_sure and (words := _word_rows(lines)):
            return "spaces", words
        if ranked:
            return ranked[0][-1], tried[ranked[0][-1]]
        if not any('\\"' in line for _, line in lines):
            break
    most = max(DELIMITERS, key=lambda name: sum(DELIMITERS[name] in line for _, line in lines))
    rows = _csv_rows(numbered, DELIMITERS[most])
    return most, _tab_rows(numbered) if most == "tabs" else list(rows)


def _usual_size(rows: Sequence[Row]) -> int:
    """Return how many fields most rows have: at least two."""
    sizes = Counter(len(row) for _, row in rows if len(row) > 1)
    return max(2, sizes.most_common(1)[0][0]) if sizes else 2


def _rank(tried: Sequence[Row]) -> tuple[int, float] | None:
    """Return how many different labels rows have, and the labels' length; None if they don't fit.

    Comments don't count.
    """
    rows = [row for row in tried if not _is_remark(row)]
    n_columns = _usual_size(rows)
    good = tuple((number, row) for number, row in rows if len(row) == n_columns)
    if not rows or n_columns > MOST_COLUMNS or len(good) < SAME_COLUMNS * len(rows):
        return None
    names = tuple(map(str, range(n_columns)))
    table = Table(format="commas", names=names, has_names=False, rows=good)
    column = table.columns[max(0, find_roles(table)["label"] - 1)]
    return len(set(column)), sum(map(len, column)) / max(1, len(column))


def _checked(number: int, row: Sequence[str], n_columns: int) -> list[str]:
    if len(row) == 1 and '"' in row[0]:
        raise ValueError(
            f"line {number}: read {shown(row[0])}, whose quotes don't fit: expected {n_columns}"
            " columns, close its quotes or put tabs between the columns"
        )
    if len(row) != n_columns:
        read = f"{len(row)} columns" if len(row) != 1 else "1 column"
        raise ValueError(
            f"line {number}: read {read}, {shown(' | '.join(row[:9]))}: expected"
            f" {n_columns} as on most lines, with a tab, a comma or a semicolon between them"
        )
    return [field.strip() for field in row]


def _cause(row: Sequence[str], n_columns: int, wanted: Format, *, is_usual: bool) -> str:
    """Return the likely cause of a row with other columns than most; nothing if it isn't known."""
    if len(row) > n_columns and wanted != "tabs":
        return (
            f"likely: a text has {DELIMITERS[wanted]!r} in it, which also separates the columns:"
            " put such texts in quotes"
        )
    if len(row) == 1 and '"' in row[0]:
        return "likely: a quote inside a text: write it twice, or put tabs between the columns"
    if len(row) == 1 and not is_usual:
        return "likely: nothing separates the class from the text: put a tab between them"
    return ""


def _tab_rows(numbered: Sequence[tuple[int, str]]) -> list[Row]:
    """Return rows with tabs between their fields.

    Quotes are signs of the format only where a program wrote them: round all fields of a row, or
    with quotes doubled inside, or where only they make the rows equal, over line breaks.
    """
    plain = [(number, line.split("\t")) for number, line in numbered if line.strip()]
    rows = [row for row in plain if not _is_remark(row)]
    n_columns = _usual_size(rows)
    if any(len(row) != n_columns for _, row in rows) and any('"' in line for _, line in numbered):
        quoted = list(_csv_rows(numbered, "\t"))
        whole = [row for row in quoted if not _is_remark(row)]
        if whole and all(len(row) == _usual_size(whole) for _, row in whole):
            return quoted
    return [(number, _unquoted(row)) for number, row in plain]


def _unquoted(row: list[str]) -> list[str]:
    inner = [one[1:-1] if len(one) > 1 and one[0] == one[-1] == '"' else None for one in row]
    are_all = None not in inner
    return [
        of.replace('""', '"')
        if of is not None and (are_all or ('""' in of and '"' not in of.replace('""', "")))
        else one
        for one, of in zip(row, inner, strict=True)
    ]


def _csv_rows(
    numbered: Sequence[tuple[int, str]], delimiter: str, quoting: Mapping[str, Any] = DOUBLED
) -> Iterator[Row]:
    """Yield each row; one whose quotes are wrong as a single field."""
    lines = iter(numbered)
    for number, line in lines:
        if not line.strip():
            continue
        if not any(mark in line for mark in (delimiter, '"', "\\")):  # one field: no reader needed
            yield number, [line.lstrip(" ")]
            continue
        # The reader takes further lines only where a field in quotes goes on; no comment goes on.
        further = () if is_comment(line) else (f"{line}\n" for _, line in lines)
        rows = csv.reader(
            chain([f"{line}\n"], further),
            delimiter=delimiter,
            strict=True,
            skipinitialspace=True,
            **quoting,
        )
        try:
            # A space for a line break, as the model reads it.
            yield number, [field.replace("\n", " ") for field in next(rows)]
        except csv.Error:
            yield number, [line]


def _word_rows(lines: Sequence[tuple[int, str]]) -> list[Row]:
    """Return the first word and the rest of each line, nothing if those are no labels."""
    rows = []
    for number, line in lines:
        label, _, text = line.strip().partition(" ")
        if FASTTEXT not in label and FASTTEXT in text:
            text, _, label = line.strip().rpartition(" ")
        if any(mark in label for mark in ',;"'):
            return []
        rows.append((number, [label.removeprefix(FASTTEXT), text.strip()]))
    labels = {row[0] for _, row in rows}
    few = 1 < len(labels) <= min(MOST_LABELS, len(rows) / 2)
    return rows if few and len(rows) >= 4 else []
