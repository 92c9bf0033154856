"""A matrix with named rows and columns, as an SVG text that can be clicked.

Two scales: "weights" runs from the page's background at 0 to blue at 1 and never moves;
"signed" runs from vermilion through the background at 0 to blue, up to the largest number. Blocked
cells are hatched grey, so that they differ from zeros without colour.
"""

import math
from collections.abc import Sequence
from typing import Literal

from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    TOKEN_FONT,
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
CELL_WITH_NUMBER, CELL_PLAIN = 42, 22
MOST_WITH_NUMBERS = 14  # columns; with more, numbers stand in titles and tables only

STYLE = f"""
.matrix {{ overflow-x: auto; }}
.matrix svg {{ display: block; height: auto; }}
.matrix text {{ font-family: {TOKEN_FONT}; fill: currentColor; }}
.matrix [data-value] {{ cursor: pointer; }}
.matrix [data-value]:hover rect.cell, .matrix [data-value]:focus-visible rect.cell {{
  stroke: {GREEN}; stroke-width: 2.5; }}
.matrix .head:hover text, .matrix .head:focus-visible text {{ text-decoration: underline; }}
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
    alt: str,
) -> str:
    """Return the matrix as an SVG element inside a box that can scroll.

    `clickable` "rows" lets a row be chosen (data-value "row"), "cells" a cell ("row,column"),
    "paint" cells that the pointer is drawn over, rows ("row,-1") and columns ("-1,column").
    `alt` says in words what the matrix shows.
    """
    with_numbers = len(columns) <= MOST_WITH_NUMBERS
    cell = CELL_WITH_NUMBER if with_numbers else CELL_PLAIN
    left = LETTER * _longest(rows) + 14
    top = LETTER * _longest(columns) * 0.87 + 16
    # A slanted name of the last column stands out to the right.
    right = max(24.0, LETTER * 0.5 * _longest(columns[-1:]) + 12 - cell / 2)
    width, height = left + cell * len(columns) + right, top + cell * len(rows) + 4
    reach = _reach(values) if scale == "signed" else 1.0
    parts = [_hatching(), *_column_names(columns, left, top, cell, clickable)]
    for i, name in enumerate(rows):
        click = _head(clickable, i, -1, name)
        if clickable == "rows":
            click = f' data-value="{i}" tabindex="0" role="button" aria-label="{i}: '
            click += f'{escaped(name)}"'
        weight = ' font-weight="700"' if i == selected_row else ""
        label = (
            f'<text x="{left - 8:.1f}" y="{top + cell * (i + 0.5) + 4.5:.1f}" font-size="13"'
            f' text-anchor="end"{weight}>{_label(name)}</text>'
        )
        parts.append(_button(label, click, 0, top + cell * i, left, cell))
        if not with_numbers and clickable not in ("cells", "paint"):
            blocked_row = blocked[i] if blocked is not None else [False] * len(columns)
            parts.append(_plain_row(left, top + cell * i, cell, values[i], blocked_row, reach))
            continue
        for j, value in enumerate(values[i]):
            is_blocked = bool(blocked is not None and blocked[i][j])
            parts.append(
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
    if selected_row is not None:
        parts.append(_frame(left, top + cell * selected_row, cell * len(columns), cell))
    if selected_cell is not None:
        i, j = selected_cell
        parts.append(_frame(left + cell * j, top + cell * i, cell, cell))
    smallest = left + len(columns) * min(cell, 26)
    drag = ' data-drag=""' * (clickable == "paint")
    return (
        f'<div class="matrix"{drag}><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' style="width:100%;max-width:{width:.0f}px;min-width:{smallest:.0f}px">'
        f"{''.join(parts)}</svg></div>"
    )


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
    text = ""
    if number:
        light = "" if is_blocked else on_shade(opacity, is_negative=value < 0)
        dim = ' opacity=".75"' if is_blocked else ""
        text = (
            f'<text x="{x + size / 2:.1f}" y="{y + size / 2 + 4:.1f}" font-size="12"'
            f' text-anchor="middle"{light}{dim}>{escaped(number)}</text>'
        )
    return (
        f'<g{click}><title>{escaped(title)}</title><rect class="cell" x="{x + 1:.1f}"'
        f' y="{y + 1:.1f}" width="{size - 2:.1f}" height="{size - 2:.1f}" rx="3"'
        f' fill="{fill}" fill-opacity="{shade:.3f}" stroke="{GREY}" stroke-opacity=".35"/>'
        f"{text}</g>"
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


def _head(clickable: Clickable, row: int, column: int, name: str) -> str:
    """Return what makes the name of a row or of a column stand for all its cells."""
    if clickable != "paint":
        return ""
    title = f"{name} → …" if column < 0 else f"… → {name}"
    return (
        f' data-value="{row},{column}" data-row="{row}" data-column="{column}" tabindex="-1"'
        f' role="button" aria-label="{escaped(title)}"'
    )


def _column_names(
    names: Sequence[str], left: float, top: float, cell: float, clickable: Clickable
) -> list[str]:
    parts, between = [], cell * math.sin(math.radians(60))  # between two slanted names
    for j, name in enumerate(names):
        x, y = left + cell * (j + 0.5), top - 8
        turn = f' transform="rotate(-60 {x:.1f} {y:.1f})"'
        label = f'<text x="{x:.1f}" y="{y:.1f}" font-size="13"{turn}>{_label(name)}</text>'
        click = _head(clickable, -1, j, name)
        parts.append(_button(label, click, x - 4, y - 4 - between / 2, top + 8, between, turn))
    return parts


def _button(
    label: str, click: str, x: float, y: float, width: float, height: float, turn: str = ""
) -> str:
    """Return a name that answers in all of its place, which a finger finds more easily."""
    if not click:
        return label
    return (
        f'<g class="head"{click}><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}"'
        f' height="{height:.1f}" fill="transparent"{turn}/>{label}</g>'
    )


def _frame(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4"'
        f' fill="none" stroke="{BLUE}" stroke-width="3" pointer-events="none"/>'
    )


def _hatching() -> str:
    return (
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><rect width="6" height="6" fill="{GREY}"'
        f' fill-opacity=".12"/><line x1="0" y1="0" x2="0" y2="6" stroke="{GREY}"'
        ' stroke-width="2" stroke-opacity=".6"/></pattern></defs>'
    )


def _number(value: float, scale: Scale, is_blocked: bool) -> str:
    """Return a cell's number; blocked weights have none."""
    if scale == "signed" or not math.isfinite(value):
        return significant(value)
    return "" if is_blocked and value == 0 else weight_label(value)


def _label(name: str) -> str:
    return f"<title>{escaped(name)}</title>{escaped(name, LABEL_LETTERS)}"


def _longest(names: Sequence[str]) -> int:
    return max((min(len(name), LABEL_LETTERS) for name in names), default=0)


def _reach(values: Sequence[Sequence[float]]) -> float:
    finite = [abs(value) for row in values for value in row if math.isfinite(value)]
    return max(finite, default=1.0) or 1.0
