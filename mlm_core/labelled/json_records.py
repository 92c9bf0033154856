"""Rows from JSON: one object a line, a list of them, or one object of columns.

    {"label": "good", "text": "It was fine."}           one a line, or over several lines
    [{"label": "good", ...}, {"label": "bad", ...}]      a list, also under a name: {"data": [...]}
    {"text": {"0": "It was fine."}, "label": {...}}      by columns, as pandas writes it

A list of one value is its value, as doccano writes a single label; NaN is none.

Read before this: own_parts.py, table_columns.py.
"""

import json
import re
from collections import deque
from collections.abc import Iterator

from mlm_core.labelled.own_parts import LineNotes, Segment, is_comment, lines_of, shown
from mlm_core.labelled.table_columns import LONGEST_NAME, Table

MOST_COLUMNS = 50


def is_json(segment: Segment) -> bool:
    """Return whether the first line that isn't empty begins as an object of JSON, or a list."""
    first = next((line.lstrip() for _, line in segment.lines if line.strip()), "")
    return first.startswith("{") or re.match(r"\[\s*(\{|$)", first) is not None


def json_table(segment: Segment, notes: LineNotes) -> Table:
    """Return the table of a segment's records; note the lines that can't be read."""
    objects: list[tuple[int, dict]] = []
    for number, found in _json_values(segment, notes):
        try:
            objects.append((number, _json_object(number, found)))
        except ValueError as error:
            notes.add(error)
    if len(objects) == 1:
        objects = [(objects[0][0], one) for one in _records(objects[0][1])]
    names = list(dict.fromkeys(name for _, one in objects for name in one))
    names, beyond = names[:MOST_COLUMNS], set(names[MOST_COLUMNS:])
    for number, one in objects:
        if left_out := [name for name in one if name in beyond]:
            notes.set_aside(number, ", ".join(left_out), "fields")
    rows = tuple((number, [_as_field(one.get(name)) for name in names]) for number, one in objects)
    return Table(format="json", names=tuple(names), has_names=True, rows=rows)


def one_a_line(text: str) -> str:
    r"""Return a long text with one object a line if it is JSON, so that it can be cut down.

    Raises ValueError if it is neither one value nor begins with an object on a line of its own.

    >>> one_a_line('[{"a": 1},\n {"a":\n 2}]')
    '{"a": 1}\n{"a": 2}'
    """
    lines = tuple(enumerate(lines_of(text), start=1))
    if not is_json(Segment(part=None, lines=lines)):
        return text
    value = _json_value(text.removeprefix("\ufeff"))
    if isinstance(value, dict):
        value = _records(value)
    if not isinstance(value, list):
        first = next(line for _, line in lines if line.strip())
        if _json_value(first.strip().removesuffix(",")) is None:
            raise ValueError(
                "the file is too long for JSON with objects over several lines: save it as one"
                " object a line"
            )
        return text
    told = "\n".join(json.dumps(one, ensure_ascii=False) for one in value)
    return told.encode(errors="replace").decode()  # half a character, as "\\ud83d", is none


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
