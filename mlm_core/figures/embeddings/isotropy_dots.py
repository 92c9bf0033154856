"""A few values for each of several rows, as marks on one axis: before and after.

Each series has a colour and a shape; a value may have its standard error as a line.

Read before this: isotropy_shares.py. Read next: isotropy_layers.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.curves import PENS
from mlm_core.figures.embeddings.isotropy import tick_label, ticks
from mlm_core.figures.theme import FONT, GREY, escaped, significant

ROW, TOP, BOTTOM, RIGHT = 34, 6, 40, 12  # the drawing's units
LETTER, LABEL_LETTERS = 6.7, 22
SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",  # a circle
    "M-4.5 -4.5h9v9h-9z",
    "M0 -6l6 6l-6 6l-6 -6z",
)

STYLE = f"""
.dots {{ max-width: 640px; font-family: {FONT}; }}
.dots svg {{ display: block; width: 100%; height: auto; }}
.dots text {{ font-size: 13px; fill: currentColor; }}
.dots ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; }}
.dots ul svg {{ display: inline-block; width: 14px; height: 14px; margin-right: .35rem;
  vertical-align: -2px; }}
"""


@dataclass(frozen=True, kw_only=True)
class DotRow:
    """One row's values, one for each series."""

    name: str
    values: Sequence[float]
    errors: Sequence[float] = ()  # standard errors, if known


def dots_svg(
    rows: Sequence[DotRow],
    series: Sequence[str],
    *,
    low: float,
    high: float,
    x_title: str,
    alt: str,
    width: int = 470,
) -> str:
    """Return the rows under a legend of the series.

    Raises ValueError if a row has not one value for each series.
    """
    for row in rows:
        if len(row.values) != len(series):
            raise ValueError(f"{row.name}: {len(row.values)} values for {len(series)} series")
    left = LETTER * max((min(len(row.name), LABEL_LETTERS) for row in rows), default=0) + 12
    base = TOP + ROW * len(rows)

    def place(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (width - RIGHT - left)

    parts = []
    for tick in ticks(low, high):
        x = place(tick)
        parts.append(
            f'<path d="M{x:.1f} {TOP}V{base}" stroke="{GREY}" opacity="{0.7 if not tick else 0.25}"'
            f'/><text x="{x:.1f}" y="{base + 17}" text-anchor="middle">{tick_label(tick)}</text>'
        )
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        parts.append(
            f'<text x="{left - 8:.0f}" y="{y + 4:.0f}" text-anchor="end"><title>{escaped(row.name)}'
            f"</title>{escaped(row.name, LABEL_LETTERS)}</text>"
        )
        parts += _row(row, series, y, place)
    parts.append(
        f'<text x="{(left + width) / 2:.0f}" y="{base + BOTTOM - 4}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
    )
    return (
        f'<div class="dots">{_legend(series)}<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {base + BOTTOM}">'
        f"{''.join(parts)}</svg></div>"
    )


def _row(row: DotRow, series: Sequence[str], y: float, place) -> list[str]:
    parts = []
    for k, value in enumerate(row.values):
        if value != value:  # unknown
            continue
        # Marks of one row stand a little apart, so that equal values don't hide each other.
        at = y + 9 * (k - (len(series) - 1) / 2)
        colour, _ = PENS[k % len(PENS)]
        if k < len(row.errors) and row.errors[k] == row.errors[k]:
            first, last = place(value - row.errors[k]), place(value + row.errors[k])
            parts.append(f'<path d="M{first:.1f} {at:.1f}H{last:.1f}" stroke="{colour}"')
            parts.append(' stroke-width="2"/>')
        title = escaped(f"{row.name}, {series[k]}: {significant(value, 3)}")
        parts.append(
            f'<path d="{SHAPES[k % len(SHAPES)]}" fill="{colour}"'
            f' transform="translate({place(value):.1f} {at:.1f})"><title>{title}</title></path>'
        )
    return parts


def _legend(series: Sequence[str]) -> str:
    entries = "".join(
        f'<li><svg viewBox="-7 -7 14 14" aria-hidden="true"><path'
        f' d="{SHAPES[k % len(SHAPES)]}" fill="{PENS[k % len(PENS)][0]}"/></svg>'
        f"{escaped(name)}</li>"
        for k, name in enumerate(series)
    )
    return f"<ul>{entries}</ul>"
