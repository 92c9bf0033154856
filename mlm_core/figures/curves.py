"""Curves over training steps as an SVG that is cheap to redraw every second.

Curves of runs that go on stay SVG: a plotly chart that thirty learners poll once a second takes a
seventh of a processor (measured), this SVG almost nothing. Those of finished runs are in charts.py,
which shares the pens. The legend shows each line's colour and dash.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, isfinite, log10

import numpy as np

from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    escaped,
    significant,
)
from mlm_core.number_format import formatted

# Colour is never alone: each has a dash of its own.
PENS = (
    (BLUE, ""),
    (VERMILION, "7 4"),
    (GREEN, "2 3"),
    (PURPLE, "9 3 2 3"),
    (ORANGE, "12 4"),
    (SKY, "4 2"),
)
WIDTH, HEIGHT = 480, 270  # the drawing's units
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 10, 40
FAR_ENOUGH = 14.0  # from the middle of a level's name to another line

Place = Callable[[float, float], tuple[float, float]]  # (step, value) to (x, y)

STYLE = f"""
.curves {{ max-width: 620px; font-family: {FONT}; }}
.curves .legend {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; }}
.curves .legend svg {{ display: inline-block; width: 30px; height: 10px; margin-right: .4rem; }}
"""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One line and its style."""

    name: str
    points: Sequence[tuple[float, float]]  # (step, value), in order of steps
    pen: int  # which colour and dash; curves of one run share it
    dots: bool = False  # measured at a few steps: each is marked
    faint: bool = False  # noisy, beside the line that counts
    grey: bool = False  # one of many, without a place in the legend
    errors: Sequence[float] = ()  # standard errors, if known


@dataclass(frozen=True, kw_only=True)
class Level:
    """A reference value, as a thin horizontal line."""

    name: str
    value: float
    shown: str = ""  # how the value is written, if not with three digits


def curves_svg(
    curves: Sequence[Curve],
    *,
    last_step: float,
    y_range: tuple[float, float],
    x_title: str,
    y_title: str,
    alt: str,
    levels: Sequence[Level] = (),
    at: float | None = None,
    logarithmic: bool = False,
) -> str:
    """Return the curves under a legend; `at` is a step to mark with an upright line.

    Give drawings that are to be compared the same `y_range` and `last_step`. On a
    `logarithmic` axis equal factors are equal heights; its range is above 0.
    Raises ValueError for a range without height, or one that a logarithm doesn't take.
    """
    low, high = y_range
    if not low < high or (logarithmic and low <= 0):
        raise ValueError(f"a range from {low} to {high} can't be drawn: take nice_range()'s")
    height_of = log10 if logarithmic else float

    def place(step: float, value: float) -> tuple[float, float]:
        x = LEFT + step / max(1, last_step) * (WIDTH - LEFT - RIGHT)
        inside = height_of(min(max(value, low), high))
        proportion = (inside - height_of(low)) / (height_of(high) - height_of(low))
        return x, HEIGHT - BOTTOM - proportion * (HEIGHT - BOTTOM - TOP)

    marks = _powers(low, high) if logarithmic else _marks(low, high)
    parts = [*_grid(marks, low, last_step, place, x_title, y_title)]
    drawn = [[place(*point) for point in curve.points if isfinite(point[1])] for curve in curves]
    ends = [[place(step, level.value) for step in (0, last_step)] for level in levels]
    for level, line in zip(levels, ends, strict=True):
        y = line[0][1]
        to_its_end = f"M{LEFT} {y:.1f}H{WIDTH - RIGHT}"
        parts.append(path(to_its_end, stroke=GREY, stroke_width=1.5, stroke_dasharray="1 3"))
        named = f"{level.name} {significant(level.value, 3)}"
        parts.append(_level_name(named, y, [*drawn, *(one for one in ends if one is not line)]))
    if at is not None:
        x, _ = place(at, low)
        line = f"M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"
        parts.append(path(line, stroke="currentColor", opacity=0.6))
    for curve, places in zip(curves, drawn, strict=True):
        parts += _line(curve, places)
    drawing = svg("plain", parts, WIDTH, HEIGHT, alt=alt, widest=620, size=13)
    return element("div", _legend(curves), drawing, class_="curves")


def curves_file(panels: Mapping[str, str], names: Sequence[str]) -> str:
    """Return drawings of curves as one SVG file, side by side under their titles, dark on white.

    One legend has the `names` of the pens, in their order.
    """
    parts, x = [], 50.0
    for name, (colour, dash) in zip(names, PENS, strict=False):
        look = {"stroke": colour, "stroke_width": 2.5, "stroke_dasharray": dash or None}
        parts += [path(f"M{x:.0f} 16h34", **look), text(x + 42, 21, name)]
        x += 60 + 7.5 * len(name)
    for k, (title, drawn) in enumerate(panels.items()):
        inside = drawn[drawn.rindex("<svg xmlns") : drawn.rindex("</svg>") + len("</svg>")]
        place = f'<svg x="{k * WIDTH}" y="58" width="{WIDTH}" height="{HEIGHT}" '
        parts += [text(LEFT + k * WIDTH, 52, title), inside.replace("<svg ", place, 1)]
    width, height = max(len(panels) * WIDTH, x), HEIGHT + 62
    return element(
        "svg",
        rect(0, 0, width, height, fill="white"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.0f} {height}",
        font_family=FONT,
        font_size=13,
        fill=INK,
        color=INK,
    )


def nice_range(values: Sequence[float], *, from_zero: bool = True) -> tuple[float, float]:
    """Return round bounds that hold all finite values.

    >>> nice_range([0.3, 5.7]), nice_range([0.1, 0.42]), nice_range([])
    ((0.0, 6.0), (0.0, 0.5), (0.0, 1.0))
    """
    finite = [value for value in values if isfinite(value)]
    if not finite:
        return 0.0, 1.0
    low, high = (0.0 if from_zero else min(finite)), max(finite)
    unit = _unit(high - low or 1.0)
    low, high = floor(low / unit) * unit, ceil(high / unit - 1e-9) * unit
    return round(low, 9), round(high if high > low else low + unit, 9)


def nice_log_range(values: Sequence[float]) -> tuple[float, float]:
    """Return powers of ten that hold all finite values above 0.

    >>> nice_log_range([3.0, 250.0]), nice_log_range([])
    ((1.0, 1000.0), (1.0, 10.0))
    """
    logs = [log10(value) for value in values if isfinite(value) and value > 0]
    if not logs:
        return 1.0, 10.0
    low = floor(min(logs) + 1e-9)
    return 10.0**low, 10.0 ** max(low + 1, ceil(max(logs) - 1e-9))


def _marks(low: float, high: float) -> list[float]:
    unit = _unit(high - low)
    return [k * unit for k in range(ceil(low / unit - 1e-9), floor(high / unit + 1e-9) + 1)]


def _steps(last_step: float) -> list[int]:
    """Return round whole steps from 0 to the last one, each at its own place.

    >>> _steps(30), _steps(305), _steps(3)
    ([0, 5, 10, 15, 20, 25, 30], [0, 50, 100, 150, 200, 250, 300], [0, 1, 2, 3])
    """
    unit = max(1, round(_unit(max(1, last_step))))
    return [*range(0, floor(last_step) + 1, unit)]


def _powers(low: float, high: float) -> list[float]:
    """Return 1, 3, 10, 30, ... within the range: a factor of about three apart."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    marks = [factor * 10.0**power for power in powers for factor in (1, 3)]
    return [mark for mark in marks if low <= mark * (1 + 1e-9) and mark <= high * (1 + 1e-9)]


def _number(mark: float) -> str:
    return formatted(mark, ",.0f") if 1_000 <= mark < 1e6 else formatted(mark, ".4g")


def _unit(span: float) -> float:
    """Return 1, 2 or 5 times a power of ten: the distance of 4 to 8 marks over the span."""
    power = 10.0 ** floor(log10(span))
    return next(unit * power for unit in (0.1, 0.2, 0.5, 1.0, 2.0) if span / (unit * power) <= 7)


def _grid(
    marks: Sequence[float], low: float, last_step: float, place: Place, x_title: str, y_title: str
) -> list[str]:
    parts = []
    for mark in marks:
        x, y = place(0, mark)
        parts += [
            path(f"M{x:.0f} {y:.1f}H{WIDTH - RIGHT}", stroke=GREY, opacity=0.25),
            text(LEFT - 6, y + 4, _number(mark), text_anchor="end"),
        ]
    for step in _steps(last_step):
        x, _ = place(step, low)
        anchor = "middle" if x < WIDTH - RIGHT - 25 else "end"  # a long number stays inside
        number = formatted(step, ",")
        parts.append(text(x, HEIGHT - BOTTOM + 17, number, text_anchor=anchor))
    turned = f"translate(15 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"
    return [
        *parts,
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 5, x_title, text_anchor="middle"),
        text(None, None, y_title, text_anchor="middle", transform=turned),
    ]


def _level_name(name: str, height: float, lines: Sequence[Sequence[tuple[float, float]]]) -> str:
    """Return a level's name at the end and the side of it that other lines leave free."""
    width = 7.0 * len(name)
    spots = [
        (x, anchor, height + beside)
        for beside in (-4, 14)
        for x, anchor in ((WIDTH - RIGHT, "end"), (LEFT + 4, "start"))
        if TOP < height + beside < HEIGHT - BOTTOM
    ]

    def room(spot: tuple[float, str, float]) -> float:
        left = spot[0] - (width if spot[1] == "end" else 0)
        across, distance = np.linspace(left, left + width, 9), FAR_ENOUGH
        for line in filter(None, lines):
            xs, ys = zip(*line, strict=True)
            heights = np.interp(across, xs, ys, left=np.inf, right=np.inf)
            distance = min(distance, abs(heights - spot[2] + 4).min())
        return distance

    x, anchor, y = max(spots, key=room)
    return text(x, y, name, text_anchor=anchor)


def _line(curve: Curve, places: Sequence[tuple[float, float]]) -> list[str]:
    """Return the curve's line through these places of the drawing, and its dots."""
    colour, dash = PENS[curve.pen % len(PENS)]
    width, opacity = (1.2, 0.7) if curve.faint else (2.5, 1)
    line = element(
        "polyline",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        fill="none",
        stroke=colour,
        stroke_width=width,
        opacity=opacity,
        stroke_dasharray=None if curve.faint else dash or None,
    )
    dots = places if curve.dots else []
    return [line, *(element("circle", cx=x, cy=y, r=3, fill=colour) for x, y in dots)]


def _legend(curves: Sequence[Curve]) -> str:
    entries = []
    for curve in curves:
        line = _line(replace(curve, dots=False), ((0.0, 5.0), (30.0, 5.0)))
        mark = element("svg", *line, viewBox="0 0 30 10", aria_hidden="true")
        entries.append(element("li", mark, escaped(curve.name)))
    return element("ul", *entries, class_="legend")
