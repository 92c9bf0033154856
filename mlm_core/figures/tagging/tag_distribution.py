"""Tags against subwords or words: a probability in each cell, and decoded paths.

Columns are in reading order, subwords of one word close together. Cells run from the page's
background at 0 to blue at 1; a cell that rounds to 0.00 has no number. A path is a mark in each
column and a line between; a step that the scheme forbids has a cross.

Read before this: ../matrix.py, tag_rows.py. Read next: resamples.py
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    TOKEN_FONT,
    VERMILION,
    escaped,
    on_shade,
    significant,
)
from mlm_core.number_format import formatted

CELL, ROW = 36, 27  # the drawing's units
BETWEEN_SUBWORDS, BETWEEN_WORDS = 1, 12
LETTER = 7.9
LABEL_LETTERS = 14
LEAST_SHOWN = 0.005  # below it a number would read 0.00
LEGEND = 26

STYLE = f"""
.tag-distribution {{ overflow-x: auto; }}
.tag-distribution svg {{ display: block; }}
.tag-distribution text {{ font-family: {TOKEN_FONT}; fill: currentColor; }}
.tag-distribution [data-value] {{ cursor: pointer; }}
.tag-distribution [data-value]:hover rect.column,
.tag-distribution [data-value]:focus-visible rect.column {{ stroke: {GREEN}; stroke-width: 2; }}
"""


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
        f'<text x="{left - 12:.1f}" y="{top + ROW * (k + 0.5) + 4.5:.1f}" font-size="13"'
        f' text-anchor="end">{escaped(tag)}</text>'
        for k, tag in enumerate(tags)
    ]
    for i, name in enumerate(columns):
        column = _column(probabilities[i], tags, name, top, i == chosen)
        button = (
            f' data-value="{i}" tabindex="0" role="button" aria-pressed='
            f'"{str(i == chosen).lower()}" aria-label="{i}: {escaped(name)}"'
            if clickable
            else ""
        )
        # Columns that differ in their numbers only: a drawing of 5 kB takes 0.7 kB less, packed.
        parts.append(f'<g transform="translate({starts[i]:.1f} 0)"{button}>{column}</g>')
    parts += _brackets(word_of_column, starts, top)
    for number, path in enumerate(paths):
        parts.append(_path(path, number, starts, top))
        parts.append(_legend(path, number, left + 150 * number, bottom + 16))
    return (
        '<div class="tag-distribution"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}">{"".join(parts)}</svg></div>'
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
) -> str:
    """Return a column that begins at 0."""
    frame = f'stroke="{BLUE}" stroke-width="3"' if is_chosen else f'stroke="{GREY}" opacity=".8"'
    label_x, label_y = CELL / 2, top - 12
    parts = [
        f'<text x="{label_x:.1f}" y="{label_y:.1f}" font-size="13" transform="rotate(-60'
        f' {label_x:.1f} {label_y:.1f})"><title>{escaped(name)}</title>'
        f"{escaped(name, LABEL_LETTERS)}</text>",
        f'<rect class="column" y="{top:.1f}" width="{CELL}"'
        f' height="{ROW * len(tags)}" rx="4" fill="{GREY}" fill-opacity=".07" {frame}/>',
    ]
    for k, probability in enumerate(row):
        if probability < LEAST_SHOWN:
            continue
        y = top + ROW * k
        light = on_shade(probability)
        parts.append(
            f"<g><title>{escaped(name)}, {escaped(tags[k])}: {significant(probability, 4)}</title>"
            f'<rect x="2" y="{y + 2:.1f}" width="{CELL - 4}" height="{ROW - 4}" rx="3"'
            f' fill="{BLUE}" fill-opacity="{probability:.3f}"/>'
            f'<text x="{CELL / 2:.0f}" y="{y + ROW / 2 + 4:.1f}" font-size="12"'
            f' text-anchor="middle"{light}>{formatted(probability, ".2f")}</text></g>'
        )
    return "".join(parts)


def _brackets(
    word_of_column: Sequence[int | None], starts: Sequence[float], top: float
) -> list[str]:
    """Return a line over the subwords of each word that has several."""
    found = []
    for word in dict.fromkeys(w for w in word_of_column if w is not None):
        own = [x for x, of in zip(starts, word_of_column, strict=True) if of == word]
        if len(own) > 1:
            found.append(
                f'<path d="M{own[0] + 2:.1f} {top - 5:.1f}H{own[-1] + CELL - 2:.1f}"'
                ' stroke="currentColor" stroke-width="2"/>'
            )
    return found


def _path(path: TagPath, number: int, starts: Sequence[float], top: float) -> str:
    # Two paths through the same cells stay visible: the marks nest, the lines run side by side.
    aside = 4 if number else -4
    parts = []
    for i, (x, tag) in enumerate(zip(starts, path.tags, strict=True)):
        y = top + ROW * (tag + 0.5)
        parts.append(_mark(number, x + CELL / 2, y))
        is_illegal = i in path.illegal
        if i:
            before_x, before_y = starts[i - 1] + CELL, top + ROW * (path.tags[i - 1] + 0.5)
            colour = VERMILION if is_illegal else "currentColor"
            parts.append(
                f'<path d="M{before_x - 2:.1f} {before_y + aside:.1f}L{x + 2:.1f} {y + aside:.1f}"'
                f' stroke="{colour}" stroke-width="2" {_dash(number)}/>'
            )
        if is_illegal:
            middle_x = x - BETWEEN_WORDS / 2 if i else x - 5
            middle_y = (y + (before_y if i else y)) / 2 + aside
            parts.append(_cross(middle_x, middle_y))
    return f'<g fill="none" pointer-events="none">{"".join(parts)}</g>'


def _mark(number: int, x: float, y: float) -> str:
    if number:
        return (
            f'<rect x="{x - CELL / 2:.1f}" y="{y - ROW / 2:.1f}" width="{CELL}"'
            f' height="{ROW}" rx="2" stroke="currentColor" stroke-width="2"/>'
        )
    return (
        f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{CELL / 2 - 1}" ry="{ROW / 2 - 2}"'
        f' stroke="currentColor" stroke-width="1.8" {_dash(0)}/>'
    )


def _dash(number: int) -> str:
    return "" if number else 'stroke-dasharray="3 2"'


def _cross(x: float, y: float) -> str:
    return (
        f'<path d="M{x - 6:.1f} {y - 6:.1f}l12 12m0 -12l-12 12" stroke="{VERMILION}"'
        ' stroke-width="3"/>'
    )


def _legend(path: TagPath, number: int, x: float, y: float) -> str:
    shape = (
        f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="18" height="13" rx="2"'
        if number
        else f'<ellipse cx="{x + 9:.1f}" cy="{y - 2.5:.1f}" rx="9" ry="6.5"'
    )
    return (
        f'{shape} fill="none" stroke="currentColor" stroke-width="2" {_dash(number)}/>'
        f'<text x="{x + 26:.1f}" y="{y + 2:.1f}" font-size="13">{escaped(path.name)}</text>'
    )
