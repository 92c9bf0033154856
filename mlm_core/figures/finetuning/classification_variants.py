"""Ways of training on one axis: a dot for each seed, the mean, a chance-level band.

Read before this: ../charts.py, classification_terms.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, escaped
from mlm_core.number_format import formatted

WIDTH, ROW, TOP, BOTTOM, SIDE = 360, 42, 4, 36, 12  # the drawing's units
NAME_LETTERS = 40
DOT = "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0"
SQUARE = "M-4 -4h8v8h-8z"
DIAMOND = "M0 -6l6 6l-6 6l-6 -6z"

Mark = Literal["seed", "baseline", "own"]
MARKS = {"seed": (DOT, BLUE), "baseline": (DIAMOND, GREY), "own": (SQUARE, ORANGE)}

STYLE = f"""
.variants {{ font-family: {FONT}; }}
.variants > svg {{ display: block; width: 100%; height: auto; }}
.variants text {{ font-size: 14px; fill: currentColor; }}
.variants ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; }}
.variants ul svg {{ display: inline-block; width: 14px; height: 14px; margin-right: .35rem;
  vertical-align: -2px; }}
"""


@dataclass(frozen=True, kw_only=True)
class VariantRow:
    """One way of training; values from 0 to 1, one a seed."""

    name: str
    values: Sequence[float]
    mean: float
    margin: float | None  # half the band's width; None: no band
    mark: Mark = "seed"


def variants_svg(
    rows: Sequence[VariantRow], *, legend: dict[Mark, str], x_title: str, alt: str
) -> str:
    """Return the rows on an axis from 0 to 100 %, under a legend of the marks that occur."""
    base = TOP + ROW * len(rows)
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        anchor = {0.0: "start", 1.0: "end"}.get(tick, "middle")
        parts.append(
            f'<path d="M{_position(tick):.1f} {TOP}V{base}" stroke="{GREY}" stroke-opacity=".25"/>'
            f'<text x="{_position(tick):.1f}" y="{base + 15}" text-anchor="{anchor}">'
            f"{formatted(100 * tick, '.0f')} %</text>"
        )
    for i, row in enumerate(rows):
        parts += _row(row, TOP + ROW * i)
    parts.append(
        f'<text x="{WIDTH / 2}" y="{base + BOTTOM - 4}" text-anchor="middle">{escaped(x_title)}'
        "</text>"
    )
    occurring = {row.mark: legend[row.mark] for row in rows}
    return (
        f'<div class="variants">{_legend(occurring)}<svg xmlns="http://www.w3.org/2000/svg"'
        f' role="img" aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {base + BOTTOM}"'
        f' style="max-width:{round(1.25 * WIDTH)}px">{"".join(parts)}</svg></div>'
    )


def _position(value: float) -> float:
    return SIDE + min(max(value, 0.0), 1.0) * (WIDTH - 2 * SIDE)


def _row(row: VariantRow, top: float) -> list[str]:
    y = top + 29
    shape, colour = MARKS[row.mark]
    parts = [
        f'<text x="{SIDE}" y="{top + 16}"><title>{escaped(row.name)}</title>'
        f"{escaped(row.name, NAME_LETTERS)}</text>"
        f'<text x="{WIDTH - SIDE}" y="{top + 16}" text-anchor="end" font-weight="700">'
        f"{formatted(100 * row.mean, '.1f')} %</text>"
        f'<path d="M{SIDE} {y}H{WIDTH - SIDE}" stroke="{GREY}" stroke-opacity=".3"/>'
    ]
    if row.margin is not None:
        first, last = _position(row.mean - row.margin), _position(row.mean + row.margin)
        parts.append(
            f'<rect x="{first:.1f}" y="{y - 6}" width="{last - first:.1f}" height="12" rx="3"'
            f' fill="{GREY}" fill-opacity=".25"/>'
        )
    at = _position(row.mean)
    parts.append(f'<path d="M{at:.1f} {y - 9}V{y + 9}" stroke="currentColor" stroke-width="2"/>')
    parts += [
        f'<path d="{shape}" transform="translate({_position(value):.1f} {y})" fill="{colour}"'
        f' fill-opacity=".85"><title>{formatted(100 * value, ".1f")} %</title></path>'
        for value in row.values
    ]
    return parts


def _legend(names: dict[Mark, str]) -> str:
    entries = "".join(
        f'<li><svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="{MARKS[mark][0]}"'
        f' fill="{MARKS[mark][1]}"/></svg>{escaped(name)}</li>'
        for mark, name in names.items()
    )
    return f"<ul>{entries}</ul>"
