"""A small matrix of numbers to type into.

Not st.data_editor, which imports pandas: that takes 65 MB.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from mlm_core.figures.theme import escaped
from pages.kit.element import element

_grid = element(__file__, '<div class="grid"></div>', of_figure=True)


def number_grid(
    numbers: Sequence[Sequence[float]],
    *,
    key: str,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    on_edit: Callable[[list[list[float]]], None],
    disabled: bool = False,
) -> None:
    """Show the numbers; `on_edit` gets all of them when one was changed, before the rerun."""

    def report(sent: Any) -> None:
        edited = read_numbers(sent, like=numbers)
        if edited is not None:
            on_edit([[max(-largest, min(largest, x)) for x in row] for row in edited])

    html = _html(
        numbers, label=label, rows=rows, columns=columns, largest=largest, disabled=disabled
    )
    _grid(key, {"html": html}, edited=report)


def read_numbers(sent: Any, *, like: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """Return what a browser sent, which can be anything; None if it is no such table of numbers.

    >>> read_numbers("[[1, 2.5]]", like=[[0, 0]]), read_numbers("[[1, NaN]]", like=[[0, 0]])
    ([[1.0, 2.5]], None)
    """
    try:
        numbers = [[float(x) for x in row] for row in json.loads(sent)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    is_like = [len(row) for row in numbers] == [len(row) for row in like]
    return numbers if is_like and all(math.isfinite(x) for row in numbers for x in row) else None


def _html(
    numbers: Sequence[Sequence[float]],
    *,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    disabled: bool,
) -> str:
    off = " disabled" if disabled else ""
    head = "".join(f"<th scope='col'>{escaped(name)}</th>" for name in columns)
    body = "".join(
        f"<tr data-row><th scope='row'>{escaped(name)}</th>"
        + "".join(
            f'<td><input type="number" step="any" min="{-largest:g}" max="{largest:g}"'
            f' value="{number:g}" data-at="{i},{k}"'
            f' aria-label="{escaped(label)}, {escaped(name)}, {escaped(columns[k])}"{off}></td>'
            for k, number in enumerate(row)
        )
        + "</tr>"
        for i, (name, row) in enumerate(zip(rows, numbers, strict=True))
    )
    return f'<table aria-label="{escaped(label)}"><tr><td></td>{head}</tr>{body}</table>'
