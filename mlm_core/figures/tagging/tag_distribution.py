"""Tags against subwords or words: a probability in each cell, and decoded paths.

Columns are in reading order, subwords of one word close together. Cells run from the page's
background at 0 to blue at 1; a cell that rounds to 0.00 has no number. A path is a mark in each
column and a line between; a step that the scheme forbids has a cross.

Read before this: ../matrix.py, entity_spans.py. Read next: resamples.py
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import button, element, path, rect, svg, text, title
from mlm_core.figures.theme import BLUE, GREY, VERMILION, on_shade, significant
from mlm_core.number_format import formatted

CELL, ROW = 36, 27  # the drawing's units
BETWEEN_SUBWORDS, BETWEEN_WORDS = 1, 12
LETTER = 7.9
LABEL_LETTERS = 14
LEAST_SHOWN = 0.005  # below it a number would read 0.00
LEGEND = 26
SMALLEST = 0.8  # of its size, at which it scrolls


@dataclass(frozen=True, kw_only=True)
class TagPath:
    """The tags that a decoder chose, one a column."""

    name: str
    tags: Sequence[int]  # each column's row
    illegal: Collection[int] = ()  # columns whose tag may not stand there


def distribution_svg(
    probabilities: Sequence[Sequence[float]],
    tags: Sequence[str],
    columns: Sequence[str],
    *,
    word_of_column: Sequence[int | None],
    paths: Sequence[TagPath] = (),
    chosen: int | None = None,
    clickable: bool = False,
    alt: str,
) -> str:
    """Return the table as an SVG in a box that scrolls; `probabilities` has a row a column.

    At most two paths: round marks on a dashed line, square ones on a solid line.
    `clickable` columns report their number.
    """
    left = LETTER * max(len(tag) for tag in tags) + 18
    top = LETTER * 0.87 * max((min(len(c), LABEL_LETTERS) for c in columns), default=0) + 22
    starts = _starts(word_of_column, left)
    bottom = top + ROW * len(tags)
    width = max([*(x + CELL for x in starts), 360]) + 40
    height = bottom + (LEGEND if paths else 8)
    parts = [
        text(left - 12, top + ROW * (k + 0.5) + 4.5, tag, text_anchor="end")
        for k, tag in enumerate(tags)
    ]
    for i, name in enumerate(columns):
        column = _column(probabilities[i], tags, name, top, i == chosen)
        pressed = str(i == chosen).lower()
        click = button(str(i), aria_pressed=pressed, aria_label=f"{i}: {name}") if clickable else {}
        # Columns that differ in their numbers only: a drawing of 5 kB takes 0.7 kB less, packed.
        parts.append(element("g", *column, transform=f"translate({starts[i]:.1f} 0)", **click))
    parts += _brackets(word_of_column, starts, top)
    for number, one in enumerate(paths):
        parts.append(_path(one, number, starts, top))
        parts += _legend(one, number, left + 150 * number, bottom + 16)
    kind = "tag-distribution"
    return svg(
        kind, parts, width, height, alt=alt, narrowest=SMALLEST * width, size=13, role="group"
    )


def _starts(word_of_column: Sequence[int | None], left: float) -> list[float]:
    """Return where each column begins; subwords of one word are close together."""
    starts, x = [], left
    for i, word in enumerate(word_of_column):
        if i:
            is_same = word is not None and word == word_of_column[i - 1]
            x += CELL + (BETWEEN_SUBWORDS if is_same else BETWEEN_WORDS)
        starts.append(x)
    return starts


def _column(
    row: Sequence[float], tags: Sequence[str], name: str, top: float, is_chosen: bool
) -> list[str]:
    """Return a column that begins at 0."""
    frame = {"stroke": BLUE, "stroke_width": 3} if is_chosen else {"stroke": GREY, "opacity": 0.8}
    x, y, height = CELL / 2, top - 12, ROW * len(tags)
    turn = f"rotate(-60 {x:.1f} {y:.1f})"
    parts = [
        text(x, y, name, LABEL_LETTERS, transform=turn),
        rect(0, top, CELL, height, rx=4, fill=GREY, fill_opacity=0.07, class_="hit", **frame),
    ]
    for k, probability in enumerate(row):
        if probability < LEAST_SHOWN:
            continue
        y = top + ROW * k
        shade = {"fill": BLUE, "fill_opacity": round(probability, 3)}
        number = {"font_size": 12, "text_anchor": "middle", "style": on_shade(probability)}
        drawn = (
            title(f"{name}, {tags[k]}: {significant(probability, 4)}"),
            rect(2, y + 2, CELL - 4, ROW - 4, rx=3, **shade),
            text(CELL / 2, y + ROW / 2 + 4, formatted(probability, ".2f"), **number),
        )
        parts.append(element("g", *drawn))
    return parts


def _brackets(
    word_of_column: Sequence[int | None], starts: Sequence[float], top: float
) -> list[str]:
    """Return a line over the subwords of each word that has several."""
    found = []
    for word in dict.fromkeys(w for w in word_of_column if w is not None):
        own = [x for x, of in zip(starts, word_of_column, strict=True) if of == word]
        if len(own) > 1:
            line = f"M{own[0] + 2:.1f} {top - 5:.1f}H{own[-1] + CELL - 2:.1f}"
            found.append(path(line, stroke="currentColor", stroke_width=2))
    return found


def _path(drawn: TagPath, number: int, starts: Sequence[float], top: float) -> str:
    # Two paths through the same cells stay visible: the marks nest, the lines run side by side.
    aside = 4 if number else -4
    parts = []
    for i, (x, tag) in enumerate(zip(starts, drawn.tags, strict=True)):
        y = top + ROW * (tag + 0.5)
        parts.append(_mark(number, x + CELL / 2, y, CELL, ROW))
        is_illegal = i in drawn.illegal
        if i:
            before_x, before_y = starts[i - 1] + CELL, top + ROW * (drawn.tags[i - 1] + 0.5)
            colour = VERMILION if is_illegal else "currentColor"
            line = f"M{before_x - 2:.1f} {before_y + aside:.1f}L{x + 2:.1f} {y + aside:.1f}"
            parts.append(path(line, stroke=colour, stroke_width=2, **_dash(number)))
        if is_illegal:
            middle_x = x - BETWEEN_WORDS / 2 if i else x - 5
            middle_y = (y + (before_y if i else y)) / 2 + aside
            cross = f"M{middle_x - 6:.1f} {middle_y - 6:.1f}l12 12m0 -12l-12 12"
            parts.append(path(cross, stroke=VERMILION, stroke_width=3))
    return element("g", *parts, pointer_events="none")


def _mark(number: int, x: float, y: float, width: float, height: float) -> str:
    """Return a path's mark around a place: a round one of the first, a box of the second."""
    look = {"fill": "none", "stroke": "currentColor", "stroke_width": 2, **_dash(number)}
    if number:
        return rect(x - width / 2, y - height / 2, width, height, rx=2, **look)
    width, height = width - 1, height - 3
    return rect(x - width / 2, y - height / 2, width, height, rx=height / 2, **look)


def _dash(number: int) -> dict[str, str]:
    return {} if number else {"stroke_dasharray": "3 2"}


def _legend(drawn: TagPath, number: int, x: float, y: float) -> list[str]:
    return [_mark(number, x + 9, y - 2.5, 18, 13), text(x + 26, y + 2, drawn.name)]
