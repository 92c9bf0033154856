"""Rows and columns of a table, whatever stands between them, and which column is what.

    tabs, commas, semicolons     csv reads the quotes
    label text                   the first word of each line, as in SST-2; fastText's __label__
    {"label": "a", "text": "b"}  JSON, one object a line

A column is known by its name in a first row of names, else by its values: labels repeat, texts are
long, an index counts, a part is "train", "dev" or "test".

Departs: csv.Sniffer guesses the delimiter by counting characters: it takes the commas of German
sentences for delimiters, and its regular expressions are quadratic. Here each delimiter is tried,
and the one is taken that gives all rows the same number of columns.

Read before this: own_parts.py.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from mlm_core.labelled.own_parts import PART_OF, Faults, Format, Roles, Segment
from mlm_core.number_format import grouped

DELIMITERS: dict[Format, str] = {"tabs": "\t", "semicolons": ";", "commas": ","}
ROLE_NAMES = {
    "label": "gold_label label class labels classes category target sentiment klasse kategorie",
    "text": "sentence1 text1 premise question1 sentence text question content review tweet satz",
    "pair": "sentence2 text2 hypothesis question2 pair",
    "part": "split part partition set",
    "index": "index idx id pairid promptid row",
}
KNOWN = {name: role for role, names in ROLE_NAMES.items() for name in names.split()}
FASTTEXT = "__label__"
MOST_LABELS = 20
MOST_COLUMNS = 50
LONGEST_NAME = 40  # characters
SAME_COLUMNS = 0.8  # of the rows, of a delimiter that is the right one
LONGEST_SHOWN = 60  # characters of a line in an error
Row = tuple[int, list[str]]  # the number of its first line, its fields


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows, all with as many fields as there are names."""

    format: Format
    names: tuple[str, ...]  # "1", "2", ... where the table has none
    has_names: bool
    rows: tuple[Row, ...]


def read_rows(segment: Segment, roles: Roles, faults: Faults) -> Table:
    """Return a segment's table; note the lines that can't be read.

    `roles` may say "header": 1 or 0, whether the first row has the names of columns.
    """
    if is_json(segment):
        return _json_table(segment, faults)
    wanted, rows = _best(segment)
    good: list[Row] = []
    n_columns = _usual_size(rows)
    if n_columns > MOST_COLUMNS:
        raise ValueError(
            f"{grouped(n_columns)} columns, and {MOST_COLUMNS} are allowed: give one example a line"
        )
    for number, row in rows:
        try:
            good.append((number, _checked(number, row, n_columns)))
        except ValueError as error:
            faults.add(error)
    names = tuple(str(i + 1) for i in range(n_columns))
    table = Table(format=wanted, names=names, has_names=False, rows=tuple(good))
    has_names = roles["header"] == 1 if "header" in roles else _has_names(table)
    if has_names and good:
        first = [name.strip() or str(i) for i, name in enumerate(good[0][1], start=1)]
        return replace(table, names=tuple(first), has_names=True, rows=tuple(good[1:]))
    return table


def is_json(segment: Segment) -> bool:
    """Return whether the first line that isn't empty begins as an object of JSON."""
    first = next((line for _, line in segment.lines if line.strip()), "")
    return first.lstrip().startswith("{")


def find_roles(table: Table) -> Roles:
    """Return the column of "label", "text", "pair" and "part", from 1; 0 where there is none."""
    by_role: dict[str, list[int]] = {}
    if table.has_names:
        for i, name in enumerate(table.names):
            by_role.setdefault(KNOWN.get(name.lower(), ""), []).append(i)
    of_index = set(by_role.get("index", ())) | {
        i for i in range(len(table.names)) if is_index(values(table, i))
    }
    label = _first_named(table, by_role, "label")
    part = _first_named(table, by_role, "part", lambda i: i != label)
    texts = by_role.get("text", []) + by_role.get("pair", [])
    left = [i for i in range(len(table.names)) if i not in of_index | {label, part} | set(texts)]
    if part is None:
        part = next((i for i in left if _is_part(values(table, i))), None)
        left = [i for i in left if i != part]
    if label is None:
        label = _label_column(table, left or sorted(of_index - {part}))
        left = [i for i in left if i != label]
    if not texts:
        left.sort(key=lambda i: -sum(map(len, values(table, i))))
        texts = sorted(left[:2] if not table.has_names and len(left) == 2 else left[:1])
    pair = texts[1] if len(texts) > 1 else None
    found = {"label": label, "text": texts[0] if texts else None, "pair": pair, "part": part}
    return {role: 0 if i is None else i + 1 for role, i in found.items()}


def values(table: Table, column: int) -> list[str]:
    """Return the fields of a column."""
    return [row[column] for _, row in table.rows]


def is_index(column: Sequence[str]) -> bool:
    """Return whether a column counts its rows.

    >>> is_index(["7", "8", "9"]), is_index(["0", "1", "0"]), is_index(["3"])
    (True, False, False)
    """
    if len(column) < 3 or not all(one.isdecimal() and len(one) < 10 for one in column):
        return False
    numbers = [int(one) for one in column]
    return len(set(numbers)) == len(numbers) and numbers == sorted(numbers)


def shown(line: str) -> str:
    """Return the beginning of a line, for an error."""
    return repr(line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…")


def _first_named(
    table: Table,
    by_role: Mapping[str, Sequence[int]],
    role: str,
    fits: Callable[[int], bool] = lambda i: True,
) -> int | None:
    """Return the column with the most telling name of a role."""
    order = ROLE_NAMES[role].split()
    found = [i for i in by_role.get(role, ()) if fits(i)]
    return min(found, key=lambda i: order.index(table.names[i].lower()), default=None)


def _is_part(column: Sequence[str]) -> bool:
    return len(column) > 1 and {one.lower() for one in column} <= PART_OF.keys()


def _label_column(table: Table, columns: Sequence[int]) -> int | None:
    """Return the column whose values repeat most, the shorter and the first of equal ones."""
    filled = [i for i in columns if all(values(table, i))] or columns
    counts = {i: len(set(values(table, i))) for i in filled}
    repeating = [i for i in filled if 1 < counts[i] <= min(MOST_LABELS, len(table.rows) / 2)]
    if len(table.rows) < 4:  # too few to tell
        return min(filled, key=lambda i: (counts[i], i), default=None)
    return min(
        repeating or filled,
        key=lambda i: (counts[i], sum(map(len, values(table, i))), i),
        default=None,
    )


def _has_names(table: Table) -> bool:
    """Return whether the first row names the columns."""
    if not table.rows:
        return False
    first = [name.strip() for name in table.rows[0][1]]
    if any(len(name) > LONGEST_NAME for name in first):
        return False
    known = [i for i, name in enumerate(first) if name.lower() in KNOWN]
    if any(Counter(values(table, i))[table.rows[0][1][i]] == 1 for i in known):
        return True
    # Names that nobody foresaw: every label below stands there again, this one doesn't.
    rest = replace(table, rows=table.rows[1:])
    label = find_roles(rest)["label"]
    if not label or len(rest.rows) < 6:
        return False
    counts = Counter(values(rest, label - 1))
    seldom = first[label - 1] not in counts and min(counts.values()) > 1
    return seldom and len(counts) <= min(MOST_LABELS, len(rest.rows) / 2)


def _best(segment: Segment) -> tuple[Format, list[Row]]:
    """Return the format that fits a segment best, and its rows."""
    lines = [(number, line) for number, line in segment.lines if not is_comment(line)]
    if 2 * sum("\t" in line for _, line in lines) >= len(lines):
        return "tabs", _tab_rows(segment)
    tried: dict[Format, list[Row]] = {
        name: list(_csv_rows(segment.lines, mark))
        for name, mark in DELIMITERS.items()
        if name != "tabs"
    }
    fitting = {name: rows for name, rows in tried.items() if _fits(rows)}
    ranked = sorted((*_rank(rows), name) for name, rows in fitting.items())
    if ranked and (ranked[0][0] <= len(lines) / 2 or len(lines) < 4):
        return ranked[0][-1], fitting[ranked[0][-1]]
    if words := _word_rows(lines):
        return "spaces", words
    if ranked:
        return ranked[0][-1], fitting[ranked[0][-1]]
    n_with = {name: sum(mark in line for _, line in lines) for name, mark in DELIMITERS.items()}
    most = max(n_with, key=n_with.__getitem__)
    return most, tried.get(most) or _tab_rows(segment)


def is_comment(line: str) -> bool:
    """Return whether a line is empty or a comment: "#" alone or with a space behind it."""
    return not line.strip() or line.startswith("# ") or line.strip() == "#"


def _usual_size(rows: Sequence[Row]) -> int:
    """Return how many fields most rows have: at least two."""
    sizes = Counter(len(row) for _, row in rows if len(row) > 1)
    return max(2, sizes.most_common(1)[0][0]) if sizes else 2


def _fits(rows: Sequence[Row]) -> bool:
    n_columns = _usual_size(rows)
    same = sum(len(row) == n_columns for _, row in rows)
    return bool(rows) and n_columns <= MOST_COLUMNS and same >= SAME_COLUMNS * len(rows)


def _rank(rows: Sequence[Row]) -> tuple[int, float]:
    """Return how many different labels the rows have, and the labels' length."""
    n_columns = _usual_size(rows)
    good = tuple((number, row) for number, row in rows if len(row) == n_columns)
    names = tuple(map(str, range(n_columns)))
    table = Table(format="commas", names=names, has_names=False, rows=good)
    column = values(table, max(0, find_roles(table)["label"] - 1))
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


def _tab_rows(segment: Segment) -> list[Row]:
    """Return rows with tabs between their fields.

    Quotes are signs of the format only where a program wrote them: round all fields of a row, or
    with quotes doubled inside, or where only they make the rows equal, over line breaks.
    """
    lines = [(number, line) for number, line in segment.lines if not is_comment(line)]
    plain = [(number, line.split("\t")) for number, line in lines]
    n_columns = _usual_size(plain)
    if any(len(row) != n_columns for _, row in plain) and any('"' in line for _, line in lines):
        quoted = list(_csv_rows(segment.lines, "\t"))
        if quoted and all(len(row) == _usual_size(quoted) for _, row in quoted):
            return quoted
    return [(number, _unquoted(row)) for number, row in plain]


def _unquoted(row: list[str]) -> list[str]:
    are_quoted = [len(one) > 1 and one[0] == one[-1] == '"' for one in row]
    if all(are_quoted):
        return [one[1:-1].replace('""', '"') for one in row]
    return [
        one[1:-1].replace('""', '"')
        if is_quoted and '""' in one[1:-1] and '"' not in one[1:-1].replace('""', "")
        else one
        for one, is_quoted in zip(row, are_quoted, strict=True)
    ]


def _csv_rows(numbered: Sequence[tuple[int, str]], delimiter: str) -> Iterator[Row]:
    """Yield each row that is no comment; one whose quotes are wrong as a single field."""
    lines = iter(numbered)
    for number, line in lines:
        if is_comment(line):
            continue
        # The reader takes further lines only where a field in quotes goes on.
        further = (f"{line}\n" for _, line in lines)
        rows = csv.reader(
            chain([f"{line}\n"], further), delimiter=delimiter, strict=True, skipinitialspace=True
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
        if any(mark in label for mark in ',;"'):
            return []
        rows.append((number, [label.removeprefix(FASTTEXT), text.strip()]))
    labels = {row[0] for _, row in rows}
    few = 1 < len(labels) <= min(MOST_LABELS, len(rows) / 2)
    return rows if few and len(rows) >= 4 else []


def _json_table(segment: Segment, faults: Faults) -> Table:
    objects: list[tuple[int, dict]] = []
    for number, line in segment.lines:
        if is_comment(line):
            continue
        try:
            objects.append((number, _json_object(number, line)))
        except ValueError as error:
            faults.add(error)
    names = list(dict.fromkeys(name for _, one in objects for name in one))[:MOST_COLUMNS]
    rows = tuple((number, [_as_field(one.get(name)) for name in names]) for number, one in objects)
    return Table(format="json", names=tuple(names), has_names=True, rows=rows)


def _json_object(number: int, line: str) -> dict:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"line {number}: read {shown(line)}: expected one JSON object, such as"
            ' {"label": "good", "text": "It was fine."}'
        )
    return {name[:LONGEST_NAME]: value for name, value in found.items()}


def _as_field(value: object) -> str:
    if value is None:
        return ""
    return " ".join((value if isinstance(value, str) else json.dumps(value)).split())
