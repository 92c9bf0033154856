"""A confusion matrix: rows are true classes, columns predicted ones.

A cell's shade of blue is its proportion of the row. The diagonal has a double frame.

Read before this: ../matrix.py, classification.py. Read next: classification_terms.py
"""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, FONT, GREEN, GREY, escaped, on_shade

LABEL_LETTERS, LETTER = 14, 7.4
SIDE = 22  # room for the title of an axis, in the drawing's units
HEIGHT, SMALL = 46, 38  # of a cell
MOST_LEVEL = 5  # classes whose names stand level over their columns; more are turned

STYLE = f"""
.confusion {{ overflow-x: auto; }}
.confusion svg {{ display: block; height: auto; }}
.confusion text {{ font-family: {FONT}; font-size: 14px; fill: currentColor; }}
.confusion [data-value] {{ cursor: pointer; }}
.confusion [data-value]:hover rect.cell, .confusion [data-value]:focus-visible rect.cell {{
  stroke: {GREEN}; stroke-width: 2.5; stroke-opacity: 1; }}
"""


def confusion_svg(
    counts: Sequence[Sequence[int]],
    classes: Sequence[str],
    *,
    selected: tuple[int, int] | None,
    row_title: str,
    column_title: str,
    alt: str,
) -> str:
    """Return the matrix; each cell is a button with the value "row,column"."""
    longest = LETTER * max(min(len(name), LABEL_LETTERS) for name in classes)
    is_level = len(classes) <= MOST_LEVEL
    cell = (max(52.0, longest + 10), HEIGHT) if is_level else (SMALL, SMALL)
    left = SIDE + longest + 12
    top = SIDE + (22 if is_level else longest * 0.87 + 14)
    width = left + cell[0] * len(classes) + (4 if is_level else 30)
    height = top + cell[1] * len(classes) + 4
    middle = top + cell[1] * len(classes) / 2
    parts = [
        f'<text x="{left}" y="15" opacity=".75">{escaped(column_title)} →</text>'
        f'<text transform="translate(14 {middle:.0f}) rotate(-90)" text-anchor="middle"'
        f' opacity=".75">← {escaped(row_title)}</text>'
    ]
    for k, name in enumerate(classes):
        parts.append(_column_name(name, left + cell[0] * (k + 0.5), top, is_level))
        parts.append(
            f'<text x="{left - 8:.1f}" y="{top + cell[1] * (k + 0.5) + 5:.1f}" text-anchor="end">'
            f"{_label(name)}</text>"
        )
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            at = (left + cell[0] * j, top + cell[1] * i)
            parts.append(
                f'<g data-value="{i},{j}" data-row="{i}" data-column="{j}" role="button"'
                f' tabindex="{0 if (i, j) == (selected or (0, 0)) else -1}" aria-label="'
                f'{escaped(classes[i])} → {escaped(classes[j])}: {count}">'
                + _cell(at, cell, count, count / max(1, sum(row)), i == j)
                + (_ring(at, cell) if (i, j) == selected else "")
                + "</g>"
            )
    return (
        '<div class="confusion"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' style="width:100%;max-width:{1.25 * width:.0f}px;min-width:{0.8 * width:.0f}px">'
        f"{''.join(parts)}</svg></div>"
    )


def _column_name(name: str, x: float, top: float, is_level: bool) -> str:
    y = top - 8
    if is_level:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{_label(name)}</text>'
    turned = f'transform="rotate(-60 {x:.1f} {y:.1f})"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {turned}>{_label(name)}</text>'


def _cell(
    at: tuple[float, float], size: tuple[float, float], count: int, proportion: float, agrees: bool
) -> str:
    x, y = at
    light = on_shade(proportion)
    dim = ' opacity=".75"' if not count else ""
    inner = (
        f'<rect x="{x + 4:.1f}" y="{y + 4:.1f}" width="{size[0] - 8:.1f}"'
        f' height="{size[1] - 8:.1f}" rx="2" fill="none" stroke="currentColor"'
        ' stroke-opacity=".6"/>'
    )
    return (
        f'<rect class="cell" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{size[0] - 2:.1f}"'
        f' height="{size[1] - 2:.1f}" rx="3" fill="{BLUE}" fill-opacity="{proportion:.3f}"'
        f' stroke="{"currentColor" if agrees else GREY}" stroke-opacity="{0.8 if agrees else 0.4}"'
        f"/>{inner if agrees else ''}"
        f'<text x="{x + size[0] / 2:.1f}" y="{y + size[1] / 2 + 5:.1f}" text-anchor="middle"'
        f"{light}{dim}>{count}</text>"
    )


def _ring(at: tuple[float, float], size: tuple[float, float]) -> str:
    return (
        f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}"'
        f' rx="4" fill="none" stroke="{BLUE}" stroke-width="3" pointer-events="none"/>'
    )


def _label(name: str) -> str:
    return f"<title>{escaped(name)}</title>{escaped(name, LABEL_LETTERS)}"
