"""A histogram with a few named values marked in it, as an SVG text.

Compared drawings get the same `low` and `high`; values beyond are counted in the outermost bars.

Read before this: ../theme.py. Read next: isotropy_shares.py
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from mlm_core.figures.theme import BLUE, FONT, GREY, escaped
from mlm_core.number_format import formatted

N_BINS = 50
BARS, BOTTOM, LINE = 130, 40, 17  # heights in the drawing's units
SIDE = 10  # room at the left and the right
LETTER = 7.0
DASHES = ("", "7 4", "2 3", "9 3 2 3")

STYLE = f"""
.histogram {{ font-family: {FONT}; }}
.histogram svg {{ display: block; width: 100%; height: auto; }}
.histogram text {{ font-size: 13px; fill: currentColor; }}
"""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A named value in a histogram."""

    name: str
    value: float


def histogram_svg(
    values: Sequence[float],
    *,
    low: float,
    high: float,
    x_title: str,
    alt: str,
    marks: Sequence[Mark] = (),
    width: int = 440,
) -> str:
    """Return a histogram of the values between `low` and `high`, with the marks.

    Raises ValueError for a range without width.
    """
    if not low < high:
        raise ValueError(f"a range from {low} to {high} can't be drawn: give the smaller one first")
    top = LINE * len(marks) + 4
    base = top + BARS

    def place(value: float) -> float:
        inside = min(max(value, low), high)
        return SIDE + (inside - low) / (high - low) * (width - 2 * SIDE)

    parts = [_bars(count_bins(values, low, high), base, (width - 2 * SIDE) / N_BINS)]
    parts.append(f'<path d="M{SIDE} {base}H{width - SIDE}" stroke="{GREY}"/>')
    for tick in ticks(low, high):
        x = place(tick)
        parts.append(
            f'<path d="M{x:.1f} {base}v4" stroke="{GREY}"/><text x="{x:.1f}" y="{base + 17}"'
            f' text-anchor="middle">{tick_label(tick)}</text>'
        )
    for number, mark in enumerate(marks):
        above = [place(other.value) for other in marks[:number]]
        parts.append(_mark(mark, number, place(mark.value), base, width, above))
    parts.append(
        f'<text x="{width / 2:.0f}" y="{base + BOTTOM - 4}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
    )
    return (
        f'<div class="histogram" style="max-width:{1.3 * width:.0f}px">'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escaped(alt)}"'
        f' viewBox="0 0 {width} {base + BOTTOM}">{"".join(parts)}</svg></div>'
    )


def count_bins(values: Sequence[float], low: float, high: float) -> list[int]:
    """Return how many values fall into each of the bins of equal width.

    >>> count_bins([0.0, 0.01, 0.99, 7.0], 0.0, 1.0)[0], count_bins([7.0], 0.0, 1.0)[-1]
    (2, 1)
    """
    counts = [0] * N_BINS
    for value in values:
        place = floor((value - low) / (high - low) * N_BINS)
        counts[min(max(place, 0), N_BINS - 1)] += 1
    return counts


def ticks(low: float, high: float) -> list[float]:
    """Return three to seven round numbers within a range.

    >>> ticks(-0.5, 1.0)
    [-0.5, 0.0, 0.5, 1.0]
    """
    power = 10.0 ** floor(log10(high - low))
    unit = next(power * f for f in (0.1, 0.2, 0.5, 1.0, 2.0) if (high - low) / (power * f) <= 6)
    first, last = ceil(low / unit - 1e-9), floor(high / unit + 1e-9)
    return [round(k * unit, 12) for k in range(first, last + 1)]


def tick_label(tick: float) -> str:
    """Return a tick's number with a true minus sign.

    >>> tick_label(-0.5), tick_label(0.0), tick_label(20.0)
    ('−0.5', '0', '20')
    """
    return formatted(tick, ".4g")


def _bars(counts: Sequence[int], base: float, width: float) -> str:
    highest = max([*counts, 1])
    # One path for all bars: a page may show a dozen of these.
    path = "".join(
        f"M{SIDE + width * i:.1f} {base}v{-BARS * count / highest:.1f}h{width - 0.6:.1f}"
        f"v{BARS * count / highest:.1f}z"
        for i, count in enumerate(counts)
        if count
    )
    return f'<path d="{path}" fill="{BLUE}" fill-opacity=".6"/>'


def _mark(mark: Mark, row: int, x: float, base: float, width: float, above: Sequence[float]) -> str:
    """Return a mark's line and its name, on the side where no line from `above` crosses it."""
    y = LINE * (row + 1) - 4
    # Two decimals, since marks are compared with each other and a mean may be next to 0.
    number = formatted(mark.value, "z.2f")
    label = f"{mark.name} {number}"
    length = 6 + LETTER * len(label)
    crossed = any(x <= other <= x + length for other in above) and x > length
    has_room = x + length < width and not crossed
    return (
        f'<path d="M{x:.1f} {y - 9}V{base}" stroke="currentColor" stroke-width="2"'
        f' stroke-dasharray="{DASHES[row % len(DASHES)]}"/>'
        f'<text x="{x + 5 if has_room else x - 5:.1f}" y="{y}"'
        f' text-anchor="{"start" if has_room else "end"}">{escaped(label)}</text>'
    )
