"""Rows and columns of a table, whatever stands between them, and which column is what.

    tabs, commas, semicolons, pipes  csv reads the quotes; Excel's first line "sep=;" is obeyed
    label text                       the first word of each line, as in SST-2; fastText's __label__
    {"label": "a", "text": "b"}      JSON: one object a line, a list of them, or one of columns

A column is known by its name in a first row of names, else by its values: labels repeat, texts are
long, an index counts, a part is "train", "dev" or "test". Where several columns may be the class,
or the text, that is a doubt.

A line that begins with "# " is a comment, unless it has all columns and a class that other rows
have too: a CSV has no comments.

Departs: csv.Sniffer guesses the delimiter by counting characters: it takes the commas of German
sentences for delimiters, and its regular expressions are quadratic. Here each delimiter is tried,
and the one is taken that gives all rows the same number of columns. What pandas reads of such
files is in docs/decisions/0012-files-as-people-have-them.md.

Read before this: own_parts.py.
"""

import csv
import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from mlm_core.labelled.own_parts import PART_OF, Format, LineNotes, Roles, Segment
from mlm_core.number_format import grouped

DELIMITERS: dict[Format, str] = {"tabs": "\t", "semicolons": ";", "commas": ",", "pipes": "|"}
EXCELS_LINE = re.compile(r'"?sep=(.)"?')
ROLE_NAMES = {
    "label": "gold_label label class labels classes category target sentiment klasse kategorie",
    "text": "sentence1 text1 premise question1 sentence text question content review tweet satz",
    "pair": "sentence2 text2 hypothesis question2 pair",
    "part": "split part partition set",
    "index": "index idx id pairid promptid row",
}
# Names that are a class's as often as something else's: such a class is a doubt.
WEAK_LABELS = "score rating stars polarity emotion intent topic annotation toxic spam gold"
KNOWN = {name: role for role, names in ROLE_NAMES.items() for name in names.split()}
WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")  # of a name such as ProductId or tweet_text
FASTTEXT = "__label__"
MOST_LABELS = 20
MOST_COLUMNS = 50
LONGEST_NAME = 40  # characters
SAME_COLUMNS = 0.8  # of the rows, of a delimiter that is the right one
LONGEST_SHOWN = 60  # characters of a line in an error
DOUBLED = {"doublequote": True}
BACKSLASHED = {"doublequote": False, "escapechar": "\\"}
Row = tuple[int, list[str]]  # the number of its first line, its fields


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows, all with as many fields as there are names."""

    format: Format
    names: tuple[str, ...]  # "1", "2", ... where the table has none
    has_names: bool
    rows: tuple[Row, ...]


def read_rows(segment: Segment, roles: Roles, notes: LineNotes) -> Table:
    """Return a segment's table; note the lines that can't be read, or are no rows.

    `roles` may say "header": 1 or 0, whether the first row has the names of columns.
    """
    if is_json(segment):
        return _json_table(segment, notes)
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
    has_names = roles["header"] == 1 if "header" in roles else _has_names(table)
    if has_names and good:
        first = [name.strip() or str(i) for i, name in enumerate(good[0][1], start=1)]
        notes.set_aside(good[0][0], " | ".join(good[0][1]), "names")
        table = replace(table, names=tuple(first), has_names=True, rows=tuple(good[1:]))
    return _without_remarks(table, roles, notes)


def _is_remark(row: Row) -> bool:
    """Return whether a row began as a comment does."""
    return row[1][0].startswith("# ") or row[1][0].strip() == "#"


def _without_remarks(table: Table, roles: Roles, notes: LineNotes) -> Table:
    """Leave out comments that have as many columns as a row, and a class that no row has."""
    plain = replace(table, rows=tuple(row for row in table.rows if not _is_remark(row)))
    if len(plain.rows) == len(table.rows) or not plain.rows:
        return table
    label = (find_roles(plain) | roles)["label"]
    known = set(values(plain, label - 1)) if 1 <= label <= len(table.names) else set()
    kept = []
    for number, row in table.rows:
        if _is_remark((number, row)) and row[label - 1] not in known:
            notes.set_aside(number, " | ".join(row), "comment")
        else:
            kept.append((number, row))
    return replace(table, rows=tuple(kept))


def is_json(segment: Segment) -> bool:
    """Return whether the first line that isn't empty begins as an object of JSON, or a list."""
    first = next((line.lstrip() for _, line in segment.lines if line.strip()), "")
    return first.startswith("{") or re.match(r"\[\s*(\{|$)", first) is not None


def find_roles(table: Table) -> Roles:
    """Return the column of "label", "text", "pair" and "part", from 1; 0 where there is none."""
    by_role: dict[str, list[int]] = {}
    if table.has_names:
        for i, name in enumerate(table.names):
            by_role.setdefault(KNOWN.get(name.lower(), ""), []).append(i)
        # "tweet_text" and "ProductId" say it with their last word.
        for i in by_role.pop("", []):
            role = KNOWN.get(_last_word(table.names[i]), "")
            is_said = role == "index" or (role in ("label", "text") and role not in by_role)
            by_role.setdefault(f"{role} by its last word" if is_said else "", []).append(i)
        by_role["index"] = by_role.get("index", []) + by_role.pop("index by its last word", [])
    of_index = set(by_role.get("index", ())) | {
        i for i in range(len(table.names)) if is_index(values(table, i))
    }
    label = _first_named(table, by_role, "label")
    part = _first_named(table, by_role, "part", lambda i: i != label)
    texts = by_role.get("text", []) + by_role.get("pair", [])
    texts = texts or by_role.get("text by its last word", [])[:1]
    left = [i for i in range(len(table.names)) if i not in of_index | {label, part} | set(texts)]
    if part is None:
        part = next((i for i in left if _is_part(values(table, i))), None)
        left = [i for i in left if i != part]
    if label is None:
        likely = by_role.get("label by its last word", []) + _weakly_named(table)
        label = next((i for i in likely if i in left), None)
        if label is None:
            label = _label_column(table, left or sorted(of_index - {part}))
        left = [i for i in left if i != label]
    if not texts:
        left.sort(key=lambda i: -sum(map(len, values(table, i))))
        texts = sorted(left[:2] if not table.has_names and len(left) == 2 else left[:1])
    pair = texts[1] if len(texts) > 1 else None
    found = {"label": label, "text": texts[0] if texts else None, "pair": pair, "part": part}
    return {role: 0 if i is None else i + 1 for role, i in found.items()}


def find_doubts(table: Table, roles: Roles) -> dict[str, tuple[int, ...]]:
    """Return the columns, from 1, that may as well be the class or the text; the found one first.

    A column that is named "label" is the class, and where there are two columns, one is the other.
    """
    taken = {roles["text"], roles["pair"], roles["part"]}
    left = [
        i + 1
        for i in range(len(table.names))
        if i + 1 not in taken and any(values(table, i)) and not is_index(values(table, i))
    ]
    doubts = {}
    label, text = roles["label"], roles["text"]
    rivals = [i for i in left if i != label and _may_be_label(values(table, i - 1))]
    named = table.names[label - 1].lower() if table.has_names and label else ""
    is_named = KNOWN.get(named) == "label"
    if label and (
        [i for i in rivals if KNOWN.get(table.names[i - 1].lower()) == "label"]
        if is_named
        else rivals or (table.has_names and len(left) > 1)
    ):
        doubts["label"] = (label, *rivals)
    if text and table.has_names and KNOWN.get(table.names[text - 1].lower()) != "text":
        length = sum(map(len, values(table, text - 1)))
        longer = [i for i in left if 2 * sum(map(len, values(table, i - 1))) > length]
        if longer := [i for i in longer if i != label]:
            doubts["text"] = (text, *longer)
    return doubts


def _may_be_label(column: Sequence[str]) -> bool:
    """Return whether a column has a few values, and each of them often."""
    return all(column) and 1 < len(set(column)) <= min(MOST_LABELS, len(column) / 2)


def _last_word(name: str) -> str:
    return WORDS.findall(name)[-1].lower() if WORDS.search(name) else ""


def _weakly_named(table: Table) -> list[int]:
    weak = WEAK_LABELS.split() if table.has_names else []
    return [
        i
        for i, name in enumerate(table.names)
        if _last_word(name) in weak and _may_be_label(values(table, i))
    ]


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


def _best(segment: Segment, notes: LineNotes) -> tuple[Format, list[Row]]:
    """Return the format that fits a segment best, and its rows; comments are still among them."""
    numbered = segment.lines
    lines = [(number, line) for number, line in numbered if not is_comment(line)]
    if lines and (excels := EXCELS_LINE.fullmatch(lines[0][1].strip(" "))):
        notes.set_aside(*lines[0], "mark")
        numbered = tuple(one for one in numbered if one[0] != lines[0][0])
        for name, mark in DELIMITERS.items():
            if mark == excels[1]:
                return name, list(_csv_rows(numbered, mark))
        return _best(replace(segment, lines=numbered), notes)
    if 2 * sum("\t" in line for _, line in lines) >= len(lines):
        return "tabs", _tab_rows(numbered)
    for quoting in (DOUBLED, BACKSLASHED):  # "" or \" for a quote inside of quotes
        tried: dict[Format, list[Row]] = {
            name: list(_csv_rows(numbered, mark, quoting))
            for name, mark in DELIMITERS.items()
            if name != "tabs"
        }
        plain = {name: [row for row in rows if not _is_remark(row)] for name, rows in tried.items()}
        fitting = {name: rows for name, rows in plain.items() if _fits(rows)}
        ranked = sorted((*_rank(rows), name) for name, rows in fitting.items())
        if ranked and (ranked[0][0] <= len(lines) / 2 or len(lines) < 4):
            return ranked[0][-1], tried[ranked[0][-1]]
        if words := _word_rows(lines, notes):
            return "spaces", words
        if ranked:
            return ranked[0][-1], tried[ranked[0][-1]]
        if not any('\\"' in line for _, line in lines):
            break
    n_with = {name: sum(mark in line for _, line in lines) for name, mark in DELIMITERS.items()}
    most = max(n_with, key=n_with.__getitem__)
    if most == "tabs":
        return most, _tab_rows(numbered)
    return most, list(_csv_rows(numbered, DELIMITERS[most]))


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
    are_quoted = [len(one) > 1 and one[0] == one[-1] == '"' for one in row]
    if all(are_quoted):
        return [one[1:-1].replace('""', '"') for one in row]
    return [
        one[1:-1].replace('""', '"')
        if is_quoted and '""' in one[1:-1] and '"' not in one[1:-1].replace('""', "")
        else one
        for one, is_quoted in zip(row, are_quoted, strict=True)
    ]


def _csv_rows(
    numbered: Sequence[tuple[int, str]], delimiter: str, quoting: Mapping[str, Any] = DOUBLED
) -> Iterator[Row]:
    """Yield each row; one whose quotes are wrong as a single field."""
    lines = iter(numbered)
    for number, line in lines:
        if not line.strip():
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


def _word_rows(lines: Sequence[tuple[int, str]], notes: LineNotes) -> list[Row]:
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


def _json_table(segment: Segment, notes: LineNotes) -> Table:
    objects: list[tuple[int, dict]] = []
    for number, found in _json_values(segment, notes):
        try:
            objects.append((number, _json_object(number, found)))
        except ValueError as error:
            notes.add(error)
    if len(objects) == 1:
        objects = [(objects[0][0], one) for one in _records(objects[0][1])]
    names = list(dict.fromkeys(name for _, one in objects for name in one))[:MOST_COLUMNS]
    rows = tuple((number, [_as_field(one.get(name)) for name in names]) for number, one in objects)
    return Table(format="json", names=tuple(names), has_names=True, rows=rows)


def _json_values(segment: Segment, notes: LineNotes) -> Iterator[tuple[int, object]]:
    """Yield what stands on each line, or over several, within an outer list or without one."""
    lines = deque(segment.lines)
    n_tries = 3  # values over several lines that don't end: each is read through to the end
    while lines:
        number, line = lines.popleft()
        line = line.strip().removesuffix(",")
        if is_comment(line):
            if line:
                notes.set_aside(number, line, "comment")
            continue
        if line in "[]":
            continue
        value = _json_value(line)
        if value is None and n_tries and line[0] in "[{":
            whole = "\n".join([line, *(further for _, further in lines)])
            value, stop = _json_beginning(whole)
            n_tries -= value is None
            for _ in range(whole.count("\n", 0, stop)):
                lines.popleft()
        if isinstance(value, list) and any(isinstance(one, dict) for one in value):
            yield from ((number, one) for one in value)
        else:
            yield number, line if value is None else value


def _json_value(text: str) -> object:
    try:
        return json.loads(text, parse_constant=lambda name: None)  # NaN is no value
    except (ValueError, RecursionError):
        return None


def _json_beginning(text: str) -> tuple[object, int]:
    """Return the value at the beginning of a text, and where it ends; None and 0 without one."""
    try:
        return json.JSONDecoder(parse_constant=lambda name: None).raw_decode(text)
    except (ValueError, RecursionError):
        return None, 0


def _records(one: dict) -> list[dict]:
    """Return the records of an object that holds all of them: as a list, or by columns."""
    for value in one.values():
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            return value
    columns = {
        name: list(value.values()) if isinstance(value, dict) else value
        for name, value in one.items()
    }
    sizes = {len(of) if isinstance(of, list) else -1 for of in columns.values()}
    if len(sizes) == 1 and sizes != {-1}:
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]
    return [one]


def _json_object(number: int, found: object) -> dict:
    if not isinstance(found, dict):
        line = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        raise ValueError(
            f"line {number}: read {shown(line)}: expected one JSON object, such as"
            ' {"label": "good", "text": "It was fine."}'
        )
    return {name[:LONGEST_NAME]: value for name, value in found.items()}


def _as_field(value: object) -> str:
    if isinstance(value, list) and len(value) < 2:  # as doccano writes a single label
        value = value[0] if value else None
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())
