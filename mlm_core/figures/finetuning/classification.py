"""One text scored by several models: rows are models, bars classes.

Read before this: ../bars.py. Read next: classification_confusion.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    VERMILION,
    as_ink,
    escaped,
    weight_label,
)

CELL, TRACK, GAP = 116, 66, 4  # the drawing's units; a cell holds a bar and its number
TOP, ROW, BAR = 28, 60, 18
CLASS_LETTERS, NAME_LETTERS = 12, 40

STYLE = f"""
.class-grid svg {{ display: block; width: 100%; height: auto; }}
.class-grid text {{ font-family: {FONT}; font-size: 14px; fill: currentColor; }}
"""


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
        weight = ' font-weight="700"' if k == right else ""
        shown = ("✓ " if k == right else "") + escaped(name, CLASS_LETTERS)
        parts.append(
            f'<text x="{CELL * k + 8}" y="20"{weight}><title>{escaped(name)}</title>{shown}</text>'
        )
    for i, row in enumerate(rows):
        if len(row.probabilities) != len(classes):
            raise ValueError(
                f"{row.name}: {len(row.probabilities)} probabilities for {len(classes)} classes"
            )
        parts += _row(row, TOP + ROW * i, width, right)
    return (
        '<div class="class-grid"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{round(1.25 * width)}px">{"".join(parts)}</svg></div>'
    )


def _row(row: ClassRow, top: float, width: float, right: int | None) -> list[str]:
    values = list(row.probabilities)
    is_right = values.index(max(values)) == right
    mark, colour = ("✓", GREEN) if is_right else ("✗", VERMILION)
    if right is None:
        mark = ""
    parts = [
        f'<path d="M0 {top}H{width}" stroke="{GREY}" stroke-opacity=".35"/>'
        f'<text x="8" y="{top + 19}"><tspan font-weight="700">{escaped(row.name, NAME_LETTERS)}'
        f"</tspan> {escaped(row.verdict, NAME_LETTERS)}"
        f' <tspan style="fill:{as_ink(colour)}" font-weight="700">{mark}</tspan></text>'
    ]
    for k, value in enumerate(values):
        x, y = CELL * k + 8, top + 32
        weight = ' font-weight="700"' if value == max(values) else ""
        if k == right:
            parts.append(
                f'<rect x="{x - 6}" y="{y - 5}" width="{CELL - 6}" height="{BAR + 10}" rx="6"'
                f' fill="none" stroke="{GREEN}" stroke-width="2" stroke-dasharray="5 3"/>'
            )
        parts.append(
            f'<rect x="{x}" y="{y}" width="{TRACK}" height="{BAR}" rx="3" fill="{GREY}"'
            f' fill-opacity=".15"/><rect x="{x}" y="{y}" width="{TRACK * value:.1f}"'
            f' height="{BAR}" rx="3" fill="{BLUE}"/>'
            f'<text x="{x + TRACK + 5}" y="{y + 14}"{weight}>{escaped(weight_label(value))}</text>'
        )
    return parts
