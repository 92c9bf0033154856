"""Accuracy over the number of training examples: ten, a hundred, all.

The axis is logarithmic. Each accuracy has its standard error as a vertical line; each series has a
colour, a dash and a shape.

Read before this: ../curves.py, ../embeddings/isotropy_dots.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from mlm_core.figures.curves import PENS, Level
from mlm_core.figures.embeddings.isotropy_dots import SHAPES
from mlm_core.figures.theme import FONT, GREY, escaped
from mlm_core.number_format import formatted

WIDTH, HEIGHT = 480, 290  # the drawing's units
LEFT, RIGHT, TOP, BOTTOM = 46, 24, 12, 42
APART = 7  # between the marks of two series at the same number
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

STYLE = f"""
.by-examples {{ max-width: 620px; font-family: {FONT}; }}
.by-examples svg {{ display: block; width: 100%; height: auto; }}
.by-examples text {{ font-size: 13px; fill: currentColor; }}
.by-examples ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 0 0 .3rem;
  padding: 0; list-style: none; font-size: .875rem; }}
.by-examples ul svg {{ display: inline-block; width: 34px; height: 14px; margin-right: .4rem;
  vertical-align: -2px; }}
"""


@dataclass(frozen=True, kw_only=True)
class SizePoint:
    """One run: its number of training examples and its accuracy."""

    n_examples: int
    proportion: float  # 0 to 1
    error: float  # its standard error


@dataclass(frozen=True, kw_only=True)
class SizeSeries:
    """Runs that differ in the number of examples only."""

    name: str
    points: Sequence[SizePoint]


def by_examples_svg(
    series: Sequence[SizeSeries], *, level: Level, x_title: str, y_title: str, alt: str
) -> str:
    """Return the series under a legend, with a reference line.

    Raises ValueError if there is nothing to draw.
    """
    numbers = sorted({point.n_examples for one in series for point in one.points})
    if not numbers:
        raise ValueError("no runs to draw: give at least one with its number of examples")
    first, last = log10(numbers[0]), log10(numbers[-1])

    def place(n_examples: int, proportion: float, shift: float) -> tuple[float, float]:
        along = 0.5 if first == last else (log10(n_examples) - first) / (last - first)
        x = LEFT + 24 + along * (WIDTH - RIGHT - LEFT - 48) + shift
        return x, HEIGHT - BOTTOM - proportion * (HEIGHT - BOTTOM - TOP)

    parts = _grid(numbers, place, x_title, y_title)
    y = place(numbers[0], level.value, 0)[1]
    parts.append(
        f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".7"'
        f' stroke-dasharray="1 3"/><text x="{WIDTH - RIGHT}" y="{y + 15:.1f}"'
        f' text-anchor="end">{escaped(level.name)} {formatted(level.value, ".2f")}</text>'
    )
    for k, one in enumerate(series):
        shift = APART * (k - (len(series) - 1) / 2)
        parts.append(
            _series(one, k, lambda p, up=0.0, s=shift: place(p.n_examples, p.proportion + up, s))
        )
    return (
        f'<div class="by-examples">{_legend(series)}<svg xmlns="http://www.w3.org/2000/svg"'
        f' role="img" aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="{escaped(FONT)}">{"".join(parts)}</svg></div>'
    )


def _grid(numbers: Sequence[int], place, x_title: str, y_title: str) -> list[str]:
    parts = []
    for tick in TICKS:
        y = place(numbers[0], tick, 0)[1]
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GREY}" opacity=".25"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{formatted(tick, "g")}</text>'
        )
    for n in numbers:
        x = place(n, 0, 0)[0]
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">'
            f"{formatted(n, ',')}</text>"
        )
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 5}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
        f'<text transform="translate(12 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"'
        f' text-anchor="middle">{escaped(y_title)}</text>'
    )
    return parts


def _series(one: SizeSeries, k: int, place) -> str:
    colour, dash = PENS[k % len(PENS)]
    points = " ".join("{:.1f},{:.1f}".format(*place(point)) for point in one.points)
    drawn = (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"'
        f' stroke-dasharray="{dash}"/>'
    )
    for point in one.points:
        x, y = place(point)
        high, low = place(point, point.error)[1], place(point, -point.error)[1]
        drawn += (
            f'<path d="M{x:.1f} {high:.1f}V{low:.1f}" stroke="{colour}" stroke-width="2"/>'
            f'<path d="{SHAPES[k % len(SHAPES)]}" fill="{colour}"'
            f' transform="translate({x:.1f} {y:.1f})">'
            f"<title>{escaped(one.name)}, {formatted(point.n_examples, ',')}:"
            f" {formatted(point.proportion, '.3f')}</title></path>"
        )
    return drawn


def _legend(series: Sequence[SizeSeries]) -> str:
    entries = "".join(
        f'<li><svg viewBox="-17 -7 34 14" aria-hidden="true"><path d="M-17 0H17"'
        f' stroke="{PENS[k % len(PENS)][0]}" stroke-width="2.5"'
        f' stroke-dasharray="{PENS[k % len(PENS)][1]}"/><path d="{SHAPES[k % len(SHAPES)]}"'
        f' fill="{PENS[k % len(PENS)][0]}"/></svg>{escaped(one.name)}</li>'
        for k, one in enumerate(series)
    )
    return f"<ul>{entries}</ul>"
