"""Sizes as squares in one corner, whose areas are to scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from mlm_core.figures.svg import element, path, rect, svg, text, title
from mlm_core.figures.theme import BLUE, GREY, INK, ORANGE

# The drawing's units: the largest square's side, where names begin, a line of text, all of it.
SIDE, NAMES, LINE, WIDTH = 185, 205, 24, 400


@dataclass(frozen=True, kw_only=True)
class Sized:
    """Something with a size."""

    name: str
    size: float
    is_first: bool = True  # of two kinds
    is_limit: bool = False  # what the others must fit into: dashed


def sizes_svg(things: Sequence[Sized], *, alt: str) -> str:
    """Return a square for each thing, all in the lower left corner, and its name beside them."""
    largest = max((one.size for one in things), default=1.0) or 1.0
    parts = []
    for i, one in enumerate(sorted(things, key=lambda one: -one.size)):
        side = SIDE * sqrt(one.size / largest)
        y = LINE * (i + 0.5) + 4
        colour = BLUE if one.is_first else ORANGE
        look = {"fill": colour, "fill_opacity": 0.25, "stroke": colour, "stroke_width": 1.5}
        if one.is_limit:
            look = {"fill": "none", "stroke": INK, "stroke_width": 1.5, "stroke_dasharray": "5 4"}
        square = rect(2, 2 + SIDE - side, side, side, **look)
        leader = f"M{2 + side:.1f} {2 + SIDE - side:.1f}L{NAMES - 6} {y}"
        parts += [
            element("g", title(one.name), square),
            path(leader, stroke=GREY, stroke_width=0.8),
            text(NAMES, y + 4, one.name, class_="plain"),
        ]
    height = max(SIDE + 4, LINE * len(things) + 8)
    return svg("sizes", parts, WIDTH, height, alt=alt, narrowest=340, size=13)
