"""A matrix with named rows and columns, as an SVG text that can be clicked.

Two scales: "weights" runs from the page's background at 0 to blue at 1 and never moves;
"signed" runs from vermilion through the background at 0 to blue, up to the largest number. Blocked
cells are hatched grey, so that they differ from zeros without colour.
"""

import math
from collections.abc import Sequence
from typing import Literal

from mlm_core.figures.svg import button, cell_button, element, hatching, rect, svg, text, two_widths
from mlm_core.figures.theme import (
    BLUE,
    GREY,
    VERMILION,
    escaped,
    on_shade,
    significant,
    weight_label,
)

Scale = Literal["weights", "signed"]
Clickable = Literal["rows", "cells", "paint"] | None

LABEL_LETTERS = 12  # longer labels are cut; the whole word is in the title
LETTER = 7.9  # width of one letter of the label font, in the drawing's units
# A cell with a number of the scale, as "0.14" or "−0.0123", and one without.
CELLS_WITH_NUMBER: dict[Scale, int] = {"weights": 34, "signed": 42}
CELL_PLAIN = 22
SMALLEST = 0.84  # of its size, where its numbers have 10 pixels; below it the box scrolls
MOST_WITH_NUMBERS = 14  # columns; with more, numbers stand in titles and tables only

STYLE = """
.matrix .head:hover text, .matrix .head:focus-visible text { text-decoration: underline; }
"""


def matrix_svg(
    values: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    blocked: Sequence[Sequence[bool]] | None = None,
    scale: Scale = "weights",
    selected_row: int | None = None,
    selected_cell: tuple[int, int] | None = None,
    clickable: Clickable = None,
    row_styles: Sequence[str] = (),
    alt: str,
) -> str:
    """Return the matrix as an SVG element inside a box that can scroll.

    `clickable` "rows" lets a row be chosen (data-value "row"), "cells" a cell ("row,column"),
    "paint" cells that the pointer is drawn over, rows ("row,-1") and columns ("-1,column").
    `row_styles` say when each row lights in a film. `alt` says in words what the matrix shows.
    """
    with_numbers = len(columns) <= MOST_WITH_NUMBERS
    cell = CELLS_WITH_NUMBER[scale] if with_numbers else CELL_PLAIN
    left = LETTER * _longest(rows) + 14
    top = LETTER * _longest(columns) * 0.87 + 16
    # A slanted name of the last column stands out to the right.
    right = max(24.0, LETTER * 0.5 * _longest(columns[-1:]) + 12 - cell / 2)
    width, height = left + cell * len(columns) + right, top + cell * len(rows) + 4
    reach = _reach(values) if scale == "signed" else 1.0
    parts = [hatching(), *_column_names(columns, left, top, cell, clickable)]
    for i, name in enumerate(rows):
        click = _head(clickable, i, -1, name)
        if clickable == "rows":
            click = button(str(i), aria_label=f"{i}: {name}")
        label = text(
            left - 8,
            top + cell * (i + 0.5) + 4.5,
            name,
            LABEL_LETTERS,
            text_anchor="end",
            font_weight=700 if i == selected_row else None,
        )
        parts.append(_button(label, click, 0, top + cell * i, left, cell))
        if not with_numbers and clickable not in ("cells", "paint"):
            blocked_row = blocked[i] if blocked is not None else [False] * len(columns)
            parts.append(_plain_row(left, top + cell * i, cell, values[i], blocked_row, reach))
            continue
        cells = []
        for j, value in enumerate(values[i]):
            is_blocked = bool(blocked is not None and blocked[i][j])
            cells.append(
                _cell(
                    left + cell * j,
                    top + cell * i,
                    cell,
                    value,
                    opacity=0.0 if not math.isfinite(value) else min(1.0, abs(value) / reach),
                    is_blocked=is_blocked,
                    number=_number(value, scale, is_blocked) if with_numbers else "",
                    title=f"{name} → {columns[j]}: "
                    + (f"✕ {significant(value, 4)}" if is_blocked else significant(value, 4)),
                    click=_click(clickable, i, j, selected_cell),
                )
            )
        lit = {"class_": "lit", "style": row_styles[i]} if row_styles else {}
        parts += [element("g", *cells, **lit)] if lit else cells
    if selected_row is not None:
        parts.append(_frame(left, top + cell * selected_row, cell * len(columns), cell))
    if selected_cell is not None:
        i, j = selected_cell
        parts.append(_frame(left + cell * j, top + cell * i, cell, cell))
    return svg(
        "matrix",
        parts,
        width,
        height,
        alt=alt,
        narrowest=width * SMALLEST if with_numbers else left + len(columns) * cell,
        size=13,
        role="group",
        drag="" if clickable == "paint" else None,
    )


def wrapped_row_svg(values: Sequence[float], row: str, columns: Sequence[str], *, alt: str) -> str:
    """Return a matrix of one row, and for a narrow box its two halves, one below the other."""
    half = (len(columns) + 1) // 2
    halves = [slice(half), slice(half, None)] if len(columns) > 1 else [slice(None)]
    wide, narrow = (
        "".join(matrix_svg([values[k]], [row], columns[k], alt=alt) for k in parts)
        for parts in ([slice(None)], halves)
    )
    return two_widths(wide, narrow)


def _plain_row(
    x: float,
    y: float,
    size: float,
    values: Sequence[float],
    blocked: Sequence[bool],
    reach: float,
) -> str:
    """Return a row of cells with short markup, since a long text has thousands."""
    cells = []
    for j, (value, is_blocked) in enumerate(zip(values, blocked, strict=True)):
        fill = "url(#hatch)" if is_blocked else BLUE if value >= 0 else VERMILION
        opacity = 1.0 if is_blocked else min(1.0, abs(value) / reach)
        cells.append(
            f'<rect x="{x + size * j:.0f}" y="{y:.0f}" width="{size - 1}" height="{size - 1}"'
            f' fill="{fill}" fill-opacity="{opacity:.2f}"/>'
        )
    return "".join(cells)


def _cell(
    x: float,
    y: float,
    size: float,
    value: float,
    *,
    opacity: float,
    is_blocked: bool,
    number: str,
    title: str,
    click: str,
) -> str:
    fill = "url(#hatch)" if is_blocked else BLUE if value >= 0 else VERMILION
    shade = 1.0 if is_blocked else opacity
    written = ""
    if number:
        written = text(
            x + size / 2,
            y + size / 2 + 4,
            number,
            font_size=12,
            text_anchor="middle",
            style=None if is_blocked else on_shade(opacity, is_negative=value < 0),
            opacity=0.75 if is_blocked else None,
        )
    return (
        f'<g{click}><title>{escaped(title)}</title><rect class="hit" x="{x + 1:.1f}"'
        f' y="{y + 1:.1f}" width="{size - 2:.1f}" height="{size - 2:.1f}" rx="3"'
        f' fill="{fill}" fill-opacity="{shade:.3f}" stroke="{GREY}" stroke-opacity=".35"/>'
        f"{written}</g>"
    )


def _click(clickable: Clickable, row: int, column: int, selected: tuple[int, int] | None) -> str:
    if clickable == "rows":  # the row's label takes the keyboard, its cells the pointer
        return f' data-value="{row}"'
    if clickable in ("cells", "paint"):
        # One stop for the tab key; the arrow keys move from cell to cell (clickable.py).
        stop = 0 if (row, column) == (selected or (0, 0)) else -1
        return (
            f' data-value="{row},{column}" data-row="{row}" data-column="{column}"'
            f' tabindex="{stop}" role="button"'
        )
    return ""


def _head(clickable: Clickable, row: int, column: int, name: str) -> dict:
    """Return what makes the name of a row or of a column stand for all its cells."""
    if clickable != "paint":
        return {}
    title = f"{name} → …" if column < 0 else f"… → {name}"
    return cell_button(row, column, aria_label=title)


def _column_names(
    names: Sequence[str], left: float, top: float, cell: float, clickable: Clickable
) -> list[str]:
    parts, between = [], cell * math.sin(math.radians(60))  # between two slanted names
    for j, name in enumerate(names):
        x, y = left + cell * (j + 0.5), top - 8
        turn = f"rotate(-60 {x:.1f} {y:.1f})"
        label = text(x, y, name, LABEL_LETTERS, transform=turn)
        click = _head(clickable, -1, j, name)
        parts.append(_button(label, click, x - 4, y - 4 - between / 2, top + 8, between, turn))
    return parts


def _button(
    label: str,
    click: dict,
    x: float,
    y: float,
    width: float,
    height: float,
    turn: str | None = None,
) -> str:
    """Return a name that answers in all of its place, which a finger finds more easily."""
    if not click:
        return label
    place = rect(x, y, width, height, fill="transparent", transform=turn)
    return element("g", place, label, class_="head", **click)


def _frame(x: float, y: float, width: float, height: float) -> str:
    look = {"fill": "none", "stroke": BLUE, "stroke_width": 3, "pointer_events": "none"}
    return rect(x, y, width, height, rx=4, **look)


def _number(value: float, scale: Scale, is_blocked: bool) -> str:
    """Return a cell's number; blocked weights have none."""
    if scale == "signed" or not math.isfinite(value):
        return significant(value)
    return "" if is_blocked and value == 0 else weight_label(value)


def _longest(names: Sequence[str]) -> int:
    return max((min(len(name), LABEL_LETTERS) for name in names), default=0)


def _reach(values: Sequence[Sequence[float]]) -> float:
    finite = [abs(value) for row in values for value in row if math.isfinite(value)]
    return max(finite, default=1.0) or 1.0
