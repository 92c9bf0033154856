"""A class head's arithmetic: pooled vector, logit as a chain of bars, softmax.

In the chain each bar begins where the one before it ended, so that the last ends at the logit.

Read before this: ../encoder/arithmetic.py, classification_confusion.py.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlm_core.figures.svg import path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, VERMILION, significant, tex
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from mlm_core.classification.head_steps import TermSum

COLUMNS, SQUARE = 32, 14  # of the strip, in the drawing's units
WIDTH, ROW, BAR, SIDE = 340, 38, 12, 6  # of the chain
MOST_POWERS = 4  # of a sum in LaTeX, before "..."


@dataclass(frozen=True, kw_only=True)
class Link:
    """One bar of a chain: its name and the number it adds."""

    name: str
    value: float
    is_code: bool = False  # a product of numbers, in the font of tokens


def links_of(found: "TermSum", *, named: Callable[..., str], rest: str, bias: str) -> list[Link]:
    """Return a sum's bars; `named` gives a term's name from its place j and its factors h and w."""
    terms = [
        Link(
            name=named(j=one.place, h=significant(one.number, 3), w=significant(one.weight, 3)),
            value=one.product,
            is_code=True,
        )
        for one in found.shown
    ]
    return [*terms, Link(name=rest, value=found.rest), Link(name=bias, value=found.bias)]


def strip_svg(values: Sequence[float], *, marked: Collection[int] = (), alt: str) -> str:
    """Return the numbers as squares, row by row, blue above 0 and vermilion below.

    Those at `marked` places are ringed. The farthest from 0 has the full colour.
    """
    reach = max((abs(value) for value in values), default=0.0) or 1.0
    width, height = SQUARE * min(COLUMNS, max(1, len(values))), -(-len(values) // COLUMNS) * SQUARE
    squares = [rect(0, 0, width, height, fill=GREY, fill_opacity=0.08)]
    for j, value in enumerate(values):
        x, y = SQUARE * (j % COLUMNS), SQUARE * (j // COLUMNS)
        look = {"fill": BLUE if value >= 0 else VERMILION, "fill_opacity": abs(value) / reach}
        ring = {"stroke": "currentColor", "stroke_width": 1.8} if j in marked else {}
        squares.append(rect(x + 1, y + 1, SQUARE - 2, SQUARE - 2, **look, **ring))
    return svg("strip", squares, width, height, alt=alt, widest=1.4 * width)


def chain_reach(chains: Sequence[Sequence[Link]]) -> tuple[float, float]:
    """Return the lowest and highest point of several chains, for one scale."""
    points = [0.0]
    for chain in chains:
        at = 0.0
        for link in chain:
            at += link.value
            points.append(at)
    low, high = min(points), max(points)
    return (low, high) if low < high else (low - 1, high + 1)


def chain_svg(links: Sequence[Link], total: Link, *, reach: tuple[float, float], alt: str) -> str:
    """Return the chain from 0 to the total, one row a link, on the scale of `reach`."""
    low, high = reach

    def place(value: float) -> float:
        return SIDE + (value - low) / (high - low) * (WIDTH - 2 * SIDE)

    height = ROW * (len(links) + 1) + 6
    parts, at = [], 0.0
    # The lines first, so that the words stand on top of them.
    for i, link in enumerate(links):
        at += link.value
        d = f"M{place(at):.1f} {ROW * i + 22 + BAR}V{ROW * (i + 1) + 22}"
        parts.append(path(d, stroke=GREY, stroke_opacity=0.5, stroke_dasharray="2 3"))
    at = 0.0
    for i, link in enumerate(links):
        parts.append(_zero(ROW * i, place(0)))
        parts += _link(link, ROW * i, place(at), place(at + link.value))
        at += link.value
    y = ROW * len(links)
    parts.append(_zero(y, place(0)))
    parts.append(path(f"M0 {y + 3}H{WIDTH}", stroke="currentColor", stroke_opacity=0.5))
    parts += _link(total, y, place(0), place(total.value), is_total=True)
    return svg("chain", parts, WIDTH, height, alt=alt, widest=1.15 * WIDTH, size=13.5)


def _zero(y: float, x: float) -> str:
    """Return the mark of 0 beside a bar, not across the text."""
    return path(f"M{x:.1f} {y + 20}V{y + 24 + BAR}", stroke="currentColor", stroke_opacity=0.6)


def _link(link: Link, y: float, start: float, stop: float, *, is_total: bool = False) -> list[str]:
    first, last = min(start, stop), max(start, stop)
    sign = "+" if round(link.value, 3) > 0 and not is_total else ""
    look = {"font_weight": 700 if is_total else None}
    words = {} if link.is_code else {"class_": "plain", "font_size": 14.5}
    colour = BLUE if link.value >= 0 else VERMILION
    bar = {"rx": 2, "fill": colour, "fill_opacity": 1 if is_total else 0.75}
    return [
        text(SIDE, y + 17, link.name, **look, **words),
        text(WIDTH - SIDE, y + 17, f"{sign}{fixed(link.value)}", text_anchor="end", **look),
        rect(first, y + 22, max(1.0, last - first), BAR, **bar),
    ]


def fixed(value: float) -> str:
    """Return a number with three decimals, so that a column of them can be added up.

    >>> fixed(-0.25), fixed(-0.0001), fixed(12345.6), fixed(1e9)
    ('−0.250', '0.000', '12345.600', '1.0e+09')
    """
    value = round(value, 3) + 0.0  # no minus before a zero
    return formatted(value, ".3f") if abs(value) < 1e6 else significant(value)


def softmax_tex(powers: Sequence[float], k: int, probability: float) -> str:
    """Return the quotient of class number `k` (from 0) in LaTeX, with numbers only.

    `powers` are e^u of all classes. Raises ValueError if there is no class of that number.
    """
    if not 0 <= k < len(powers):
        raise ValueError(f"class {k} of {len(powers)}: classes count from 0")
    terms = [tex(power) for power in powers]
    if len(terms) > MOST_POWERS + 1:
        more = len(terms) - MOST_POWERS
        terms = [*terms[:MOST_POWERS], rf"\underbrace{{\cdots}}_{{{more}}}"]
    top, below = tex(powers[k]), tex(sum(powers))
    return (
        rf"\frac{{{top}}}{{{' + '.join(terms)}}} = \frac{{{top}}}{{{below}}} = {tex(probability)}"
    )
