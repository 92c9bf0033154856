"""A confusion matrix: rows are true classes, columns predicted ones.

A cell's shade of blue is its proportion of the row. The diagonal has a double frame.

Read before this: ../matrix.py, classification.py. Read next: classification_terms.py
"""

from collections.abc import Sequence

from mlm_core.figures.svg import cell_button, element, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, on_shade

LABEL_LETTERS, LETTER = 14, 7.4
SIDE = 22  # room for the title of an axis, in the drawing's units
HEIGHT, SMALL = 46, 38  # of a cell
MOST_LEVEL = 5  # classes whose names stand level over their columns; more are turned


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
        text(left, 15, f"{column_title} →", opacity=0.75),
        text(
            None,
            None,
            f"← {row_title}",
            transform=f"translate(14 {middle:.0f}) rotate(-90)",
            text_anchor="middle",
            opacity=0.75,
        ),
    ]
    for k, name in enumerate(classes):
        x, y = left + cell[0] * (k + 0.5), top - 8
        turn = None if is_level else f"rotate(-60 {x:.1f} {y:.1f})"
        anchor = "middle" if is_level else None
        parts.append(text(x, y, name, LABEL_LETTERS, text_anchor=anchor, transform=turn))
        y = top + cell[1] * (k + 0.5) + 5
        parts.append(text(left - 8, y, name, LABEL_LETTERS, text_anchor="end"))
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            x, y = left + cell[0] * j, top + cell[1] * i
            label = f"{classes[i]} → {classes[j]}: {count}"
            is_stop = (i, j) == (selected or (0, 0))
            click = cell_button(i, j, is_stop=is_stop, aria_label=label)
            drawn = _cell(x, y, *cell, count, count / max(1, sum(row)), i == j)
            if (i, j) == selected:
                ring = {"stroke": BLUE, "stroke_width": 3, "pointer_events": "none"}
                drawn.append(rect(x, y, *cell, rx=4, fill="none", **ring))
            parts.append(element("g", *drawn, **click))
    return svg(
        "plain confusion",
        parts,
        width,
        height,
        alt=alt,
        widest=1.25 * width,
        narrowest=0.8 * width,
        role="group",
    )


def _cell(
    x: float,
    y: float,
    width: float,
    height: float,
    count: int,
    proportion: float,
    agrees: bool,
) -> list[str]:
    look = {"fill": BLUE, "fill_opacity": round(proportion, 3), "class_": "hit"}
    edge = {"stroke": "currentColor", "stroke_opacity": 0.8}
    if not agrees:
        edge = {"stroke": GREY, "stroke_opacity": 0.4}
    drawn = [rect(x + 1, y + 1, width - 2, height - 2, rx=3, **look, **edge)]
    if agrees:
        inner = {"fill": "none", "stroke": "currentColor", "stroke_opacity": 0.6}
        drawn.append(rect(x + 4, y + 4, width - 8, height - 8, rx=2, **inner))
    number = {"text_anchor": "middle", "opacity": None if count else 0.75}
    middle = (x + width / 2, y + height / 2 + 5)
    return [*drawn, text(*middle, str(count), style=on_shade(proportion), **number)]
