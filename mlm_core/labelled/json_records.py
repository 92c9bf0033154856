"""Rows from JSON: one object a line, a list of them, or one object of columns.

    {"label": "good", "text": "It was fine."}           one a line, or over several lines
    [{"label": "good", ...}, {"label": "bad", ...}]      a list, also under a name: {"data": [...]}
    {"text": {"0": "It was fine."}, "label": {...}}      by columns, as pandas writes it

A list of one value is its value, as doccano writes a single label; NaN is none.

Read before this: own_parts.py, table_columns.py.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

from mlm_core.labelled.own_parts import LineNotes, Segment, is_comment, lines_of, shown
from mlm_core.labelled.table_columns import LONGEST_NAME, Table

MOST_COLUMNS = 50
BETWEEN = re.compile(r"[\s,\[\]]*")  # of values, in a list or without one


def is_json(lines: Iterable[str]) -> bool:
    """Return whether the first line that isn't empty begins as an object of JSON, or a list."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") or re.match(r"\[\s*(\{|$)", first) is not None


def json_table(segment: Segment, notes: LineNotes) -> Table:
    """Return the table of a segment's records; note the lines that can't be read."""
    objects = records_of(json_objects(segment, notes))
    names = list(dict.fromkeys(name for _, one in objects for name in one))
    names, beyond = names[:MOST_COLUMNS], set(names[MOST_COLUMNS:])
    for number, one in objects:
        if left_out := [name for name in one if name in beyond]:
            notes.set_aside(number, ", ".join(left_out), "fields")
    rows = tuple((number, [_as_field(one.get(name)) for name in names]) for number, one in objects)
    return Table(format="json", names=tuple(names), has_names=True, rows=rows)


def json_objects(segment: Segment, notes: LineNotes) -> list[tuple[int, dict]]:
    """Return the objects of a segment with the numbers of their lines; note what is none."""
    objects = []
    for number, value, line in _json_values(segment, notes):
        if isinstance(value, dict):
            objects.append((number, {name[:LONGEST_NAME]: one for name, one in value.items()}))
            continue
        notes.add(
            ValueError(
                f"line {number}: read {shown(line)}: expected one JSON object, such as"
                ' {"label": "good", "text": "It was fine."}'
            )
        )
    return objects


def records_of(objects: list[tuple[int, dict]]) -> list[tuple[int, dict]]:
    """Return objects, or where there is but one all records that it holds."""
    (number, one), *others = objects or [(1, {})]
    return objects if others or not one else [(number, record) for record in _records(one)]


def one_a_line(text: str) -> str:
    r"""Return a long text with one object a line if it is JSON, so that it can be cut down.

    >>> one_a_line('[{"a": 1},\n {"a":\n 2}]')
    '{"a": 1}\n{"a": 2}'
    """
    lines = lines_of(text)
    if not is_json(lines):
        return text
    segment = Segment(part=None, lines=tuple(enumerate(lines, start=1)))
    found = [(value, line) for _, value, line in _json_values(segment, LineNotes())]
    if len(found) == 1 and isinstance(found[0][0], dict):
        found = [(one, "") for one in _records(found[0][0])]
    told = "\n".join(
        line if value is None else json.dumps(value, ensure_ascii=False) for value, line in found
    )
    return told.encode(errors="replace").decode()  # half a character, as "\\ud83d", is none


def _json_values(segment: Segment, notes: LineNotes) -> Iterator[tuple[int, object, str]]:
    """Yield each value with its first line, None for a line that is none; lists are taken apart."""
    text = "\n".join(line for _, line in segment.lines)
    begins = [0, *accumulate(len(line) + 1 for _, line in segment.lines)]
    decode = json.JSONDecoder(parse_constant=lambda name: None).raw_decode  # NaN is no value
    start, i = 0, 0
    n_tries = 3  # values over several lines that don't end: each is read through to the end
    while between := BETWEEN.match(text, start):  # it may be empty
        i, start = i + between[0].count("\n"), between.end()
        if start == len(text):
            return
        (number, line), begin, stop = segment.lines[i], begins[i], begins[i + 1] - 1
        if is_comment(line):
            notes.set_aside(number, line, "comment")
            start = stop
            continue
        value = None
        try:
            value, stop = decode(line, start - begin)
            stop += begin
        except (ValueError, RecursionError):
            try:
                value, stop = decode(text, start) if n_tries else (None, stop)
            except (ValueError, RecursionError):
                n_tries -= 1
        yield number, value, line
        i, start = i + text.count("\n", start, stop), stop


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


def _as_field(value: object) -> str:
    if isinstance(value, list) and len(value) < 2:  # as doccano writes a single label
        value = value[0] if value else None
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())
