"""The input embeddings as strips: token + position + segment = sum, and LayerNorm.

Read before this: ../matrix.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, VERMILION, significant

HEIGHT = 44  # of a strip
SHOWN_SHARE = 0.98  # of the numbers; the few longer ones would flatten all others


@dataclass(frozen=True)
class _Places:
    """Coordinates of the parts: names beside the strips, or above them on a phone."""

    name: str
    width: int
    left: int  # of the strips
    strip: int  # their width
    top: int  # of a strip below the top of its row
    row: int  # height from one strip to the next
    text: int  # baseline below the top of the row
    length: int  # where the length begins


_WIDE = _Places("wide", 850, 104, 640, 0, HEIGHT + 14, 27, 752)
_NARROW = _Places("narrow", 350, 0, 350, 20, HEIGHT + 32, 15, 250)


def strips_html(
    rows: Sequence[tuple[str, str, Sequence[float]]],
    lengths: Sequence[float],
    *,
    length_sign: str,
    alt: str,
) -> str:
    """Return named vectors as strips of thin bars, blue above 0 and vermilion below.

    `rows` are (sign in front, name, numbers). All rows but the last share one scale, for they
    are added; the last, normalized, has its own. Bars that would be longer than a strip is
    high end in a dot at its edge. `lengths` are the lengths of the vectors.
    """
    drawn = "".join(
        _strips_svg(rows, lengths, places, length_sign, alt) for places in (_WIDE, _NARROW)
    )
    return f'<div class="two-widths">{drawn}</div>'


def _strips_svg(
    rows: Sequence[tuple[str, str, Sequence[float]]],
    lengths: Sequence[float],
    places: _Places,
    length_sign: str,
    alt: str,
) -> str:
    shared = reach_of([x for _, _, row in rows[:-1] for x in row])
    last = reach_of(rows[-1][2])
    parts = []
    for i, ((sign, name, row), length) in enumerate(zip(rows, lengths, strict=True)):
        y, reach = i * places.row, last if i == len(rows) - 1 else shared
        top, base = y + places.top, y + places.text
        parts += [
            text(0, base, sign),
            text(16, base, name, class_="plain"),
            rect(places.left, top, places.strip, HEIGHT, rx=3, fill=GREY, fill_opacity=0.08),
            *vector_bars(row, places.left, top, places.strip, HEIGHT, reach),
            text(places.length, base, f"{length_sign} {significant(length, 3)}", class_="plain"),
        ]
    return svg(places.name, parts, places.width, len(rows) * places.row, alt=alt, size=15)


def reach_of(numbers: Sequence[float]) -> float:
    """Return the absolute value that SHOWN_SHARE of the numbers do not exceed."""
    sizes = sorted(map(abs, numbers))
    return (sizes[int(SHOWN_SHARE * (len(sizes) - 1))] if sizes else 0.0) or 1.0


def vector_bars(
    row: Sequence[float], left: float, y: float, width: float, height: float, reach: float
) -> list[str]:
    """Return a strip's numbers as two paths, one above and one below its middle line.

    A bar of the length `reach` is half as high as the strip; a longer one ends in a dot.
    """
    step, half = width / max(1, len(row)), height / 2 - 3
    parts = []
    for colour, sign in ((BLUE, 1), (VERMILION, -1)):
        moves = []
        for k, number in enumerate(row):
            proportion = number * sign / reach
            x = left + (k + 0.5) * step
            if proportion > 0:
                moves.append(f"M{x:.1f} {y + height / 2:g}v{-sign * min(proportion, 1) * half:.1f}")
            if proportion > 1:
                middle = y + height / 2 - sign * half
                parts.append(element("circle", cx=x, cy=middle, r=2.6, fill=colour))
        parts.append(path("".join(moves), stroke=colour, stroke_width=step * 0.85))
    return parts
