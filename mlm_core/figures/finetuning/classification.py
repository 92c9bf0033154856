"""One text scored by several models: rows are models, bars classes.

Read before this: ../bars.py. Read next: classification_confusion.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREEN, GREY, VERMILION, as_ink, escaped, weight_label

CELL, TRACK, GAP = 116, 66, 4  # the drawing's units; a cell holds a bar and its number
TOP, ROW, BAR = 28, 60, 18
CLASS_LETTERS, NAME_LETTERS = 12, 40


@dataclass(frozen=True, kw_only=True)
class ClassRow:
    """One model's probabilities of the classes."""

    name: str
    verdict: str  # what it says, in words
    probabilities: Sequence[float]


def class_grid_svg(
    rows: Sequence[ClassRow], classes: Sequence[str], *, right: int | None, alt: str
) -> str:
    """Return the rows under the classes' names; `right` is the true class, if known.

    A row ends in a tick if its likeliest class is the true one, else in a cross.
    Raises ValueError if a row has not one probability for each class.
    """
    width, height = CELL * len(classes) + GAP, TOP + ROW * len(rows) + 4
    parts = []
    for k, name in enumerate(classes):
        shown = f"{'✓ ' * (k == right)}{name}"
        weight = 700 if k == right else None
        parts.append(text(CELL * k + 8, 20, shown, CLASS_LETTERS, font_weight=weight))
    for i, row in enumerate(rows):
        if len(row.probabilities) != len(classes):
            raise ValueError(
                f"{row.name}: {len(row.probabilities)} probabilities for {len(classes)} classes"
            )
        parts += _row(row, TOP + ROW * i, width, right)
    return svg("plain class-grid", parts, width, height, alt=alt, widest=1.25 * width)


def _row(row: ClassRow, top: float, width: float, right: int | None) -> list[str]:
    values = list(row.probabilities)
    is_right = values.index(max(values)) == right
    mark, colour = ("✓", GREEN) if is_right else ("✗", VERMILION)
    if right is None:
        mark = ""
    name = element("tspan", escaped(row.name, NAME_LETTERS), font_weight=700)
    ticked = element("tspan", mark, style=f"fill:{as_ink(colour)}", font_weight=700)
    verdict = f"{name} {escaped(row.verdict, NAME_LETTERS)} {ticked}"
    parts = [
        path(f"M0 {top}H{width}", stroke=GREY, stroke_opacity=0.35),
        element("text", verdict, x=8, y=top + 19),
    ]
    for k, value in enumerate(values):
        x, y = CELL * k + 8, top + 32
        if k == right:
            around = {"fill": "none", "stroke": GREEN, "stroke_dasharray": "5 3"}
            parts.append(rect(x - 6, y - 5, CELL - 6, BAR + 10, rx=6, stroke_width=2, **around))
        weight = 700 if value == max(values) else None
        parts += [
            rect(x, y, TRACK, BAR, rx=3, fill=GREY, fill_opacity=0.15),
            rect(x, y, TRACK * value, BAR, rx=3, fill=BLUE),
            text(x + TRACK + 5, y + 14, weight_label(value), font_weight=weight),
        ]
    return parts
