"""A figure's numbers in words: where curves begin, end, rise and fall, and where points lie.

One rule reads any table. Points have columns x and y; a curve has numbers in a column that only
rises or only falls; all other rows are compared. A seed is a name, no measure.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise
from math import dist, isfinite
from statistics import fmean
from typing import Any

from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.server.course.words import read_words
from pages.server.figures.table import Table

FEWEST = 3  # rows that are worth a sentence
MOST = 12  # sentences
SEED = "seed"  # the column of this name
Rows = Sequence[Sequence[Any]]


def in_words(table: Table) -> list[str]:
    """Return sentences on a table, as Markdown; none where it has few numbers."""
    table = _with_named_seeds(table)
    numeric = [k for k in range(len(table.columns)) if _is_numeric(table.rows, k)]
    groups = _groups(table, {*numeric})
    if {"x", "y"} <= set(table.keys):
        found = _of_points(table, _groups(table, set(numeric), most=1))
    elif numeric and _are_curves(groups.values(), numeric[0]):
        found = _of_curves(table, groups, numeric)
    else:
        found = _of_rows(table, numeric)
    return [sentence for sentence, _ in zip(found, range(MOST), strict=False)]


def _with_named_seeds(table: Table) -> Table:
    seeds = [k for k, key in enumerate(table.keys) if key == SEED]
    if not seeds:
        return table
    named = copy(table)
    named.rows = [
        [f"{table.columns[k]} {one}" if k in seeds else one for k, one in enumerate(row)]
        for row in table.rows
    ]
    return named


def _of_curves(table: Table, groups: Mapping[str, Rows], numeric: Sequence[int]) -> Iterator[str]:
    along, *others = numeric
    for name, rows in groups.items():
        for k in others:
            points = [(row[along], row[k]) for row in rows if _is_number(row[k])]
            if len(points) < FEWEST:
                continue
            low, high = min(points, key=lambda one: one[1]), max(points, key=lambda one: one[1])
            yield _said(
                "curve",
                name=_joined(name, table.columns[k]),
                axis=table.columns[along],
                a=points[0][0],
                first=points[0][1],
                b=points[-1][0],
                last=points[-1][1],
                low=low[1],
                low_at=low[0],
                high=high[1],
                high_at=high[0],
            )


def _of_points(table: Table, groups: Mapping[str, Rows]) -> Iterator[str]:
    x, y = map(table.keys.index, ("x", "y"))
    places = {
        name: [(row[x], row[y]) for row in rows if _is_number(row[x]) and _is_number(row[y])]
        for name, rows in groups.items()
    }
    places = {name: points for name, points in places.items() if points}
    centres = {
        name: (fmean(x for x, _ in points), fmean(y for _, y in points))
        for name, points in places.items()
    }
    for name, points in places.items():
        centre = centres[name]
        about = {"n": len(points), "x": centre[0], "y": centre[1]}
        about["spread"] = fmean(dist(centre, point) for point in points)
        others = {other: dist(centre, at) for other, at in centres.items() if other != name}
        if others:
            nearest = min(others, key=others.__getitem__)
            yield _said("group", name=name, nearest=nearest, distance=others[nearest], **about)
        else:
            yield _said("points", **about)


def _of_rows(table: Table, numeric: Sequence[int]) -> Iterator[str]:
    named = [k for k in range(len(table.columns)) if k not in numeric]
    for k in numeric:
        rows = [row for row in table.rows if _is_number(row[k])]
        if len(rows) < FEWEST or not named:
            continue
        low, high = min(rows, key=lambda row: row[k]), max(rows, key=lambda row: row[k])
        low_at, high_at = (
            _joined(*(str(row[i]) for i in named if row[i] is not None)) for row in (low, high)
        )
        about = {"low": low[k], "low_at": low_at, "high": high[k], "high_at": high_at}
        yield _said("rows", name=table.columns[k], **about)


def _groups(table: Table, numeric: set[int], most: int | None = None) -> Mapping[str, Rows]:
    """Return the rows by those texts, the first `most`, that come again and again."""
    texts = [k for k in range(len(table.columns)) if k not in numeric]
    naming = [k for k in texts if 2 * len({row[k] for row in table.rows}) <= len(table.rows)]
    groups: dict[str, list[Sequence[Any]]] = {}
    for row in table.rows:
        groups.setdefault(_joined(*(str(row[k]) for k in naming[:most])), []).append(row)
    return groups


def _joined(*names: str) -> str:
    return ", ".join(name for name in names if name)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def _is_numeric(rows: Rows, k: int) -> bool:
    entries = [row[k] for row in rows]
    return any(map(_is_number, entries)) and all(
        isinstance(one, int | float | None) for one in entries
    )


def _are_curves(groups: Collection[Rows], along: int) -> bool:
    has_curve = any(len(rows) >= FEWEST for rows in groups)
    return has_curve and all(_only_rises_or_falls(rows, along) for rows in groups)


def _only_rises_or_falls(rows: Rows, k: int) -> bool:
    steps = [row[k] for row in rows]
    return all(map(_is_number, steps)) and (
        all(a < b for a, b in pairwise(steps)) or all(a > b for a, b in pairwise(steps))
    )


def _said(section: str, **values: object) -> str:
    written = {name: _written(value) for name, value in values.items()}
    return read_words("frame").section(f"in_words.{section}", **written)


def _written(value: object) -> object:
    if isinstance(value, float):
        return significant(value, 3)
    return formatted(value, ",") if isinstance(value, int) else value
