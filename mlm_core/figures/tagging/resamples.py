"""Drawings of the paired bootstrap: the resamples and the histogram of leads.

Read before this: ../embeddings/isotropy.py (the histogram this one follows), tag_distribution.py
"""

from collections.abc import Sequence
from math import ceil, floor

from mlm_core.figures.embeddings.isotropy import tick_label, ticks
from mlm_core.figures.theme import BLUE, FONT, GREY, VERMILION, escaped

WIDTH, SIDE = 440, 12  # the drawing's units
BARS, LINE, BOTTOM = 150, 17, 42
N_BINS = 45
STRIP, STRIP_GAP, NAME = 26, 9, 70  # of one drawn set
MOST_TIMES = 6  # a sentence drawn more often fills the height too
SLACK = 1e-9  # of a bin: a lead on its edge belongs to the right

STYLE = f"""
.resamples {{ font-family: {FONT}; max-width: 36rem; }}
.resamples svg {{ display: block; width: 100%; height: auto; }}
.resamples text {{ font-size: 13px; fill: currentColor; }}
"""


def leads_svg(
    leads: Sequence[float], lead: float, *, names: Sequence[str], x_title: str, alt: str
) -> str:
    """Return a histogram of the resamples' leads; those from 2 * `lead` on are marked.

    `names` are written at 0, at `lead` and at twice `lead`.
    """
    edge = 2 * lead
    low, high = min([*leads, 0.0, edge]), max([*leads, 0.0, edge])
    step = (high - low or 1.0) / (N_BINS - 2)
    # Bins begin at 2 * lead and go both ways, so that none holds leads of both kinds.
    n_below = ceil((edge - low) / step - SLACK) + 1
    n_above = floor((high - edge) / step + SLACK) + 1
    start, end = edge - n_below * step, edge + n_above * step
    top = LINE * len(names) + 6
    base = top + BARS

    def place(value: float) -> float:
        return SIDE + (value - start) / (end - start) * (WIDTH - 2 * SIDE)

    counts = _count(leads, edge, step, n_below, n_above)
    parts = [_pattern()]
    highest = max(counts)
    for i, count in enumerate(counts):
        if not count:
            continue
        x, height = place(start + step * i), BARS * count / highest
        fill = BLUE if i < n_below else "url(#beyond)"
        parts.append(
            f'<rect x="{x:.1f}" y="{base - height:.1f}" width="{place(step) - place(0) - 0.6:.1f}"'
            f' height="{height:.1f}" fill="{fill}" fill-opacity="{0.6 if i < n_below else 1}">'
            f"<title>{count}</title></rect>"
        )
    parts.append(f'<path d="M{SIDE} {base}H{WIDTH - SIDE}" stroke="{GREY}"/>')
    for tick in ticks(start, end):
        parts.append(
            f'<path d="M{place(tick):.1f} {base}v4" stroke="{GREY}"/><text x="{place(tick):.1f}"'
            f' y="{base + 17}" text-anchor="middle">{tick_label(tick)}</text>'
        )
    for row, (name, value) in enumerate(zip(names, (0.0, lead, edge), strict=True)):
        parts.append(_mark(name, row, place(value), base))
    parts.append(
        f'<text x="{WIDTH / 2:.0f}" y="{base + BOTTOM - 4}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
    )
    return _boxed("".join(parts), base + BOTTOM, alt)


def strips_svg(names: Sequence[str], times: Sequence[Sequence[int]], *, alt: str) -> str:
    """Return a strip for each resample: a bar's height is a sentence's count."""
    parts = []
    for row, (name, drawn) in enumerate(zip(names, times, strict=True)):
        base = (STRIP + STRIP_GAP) * row + STRIP
        room = (WIDTH - NAME - SIDE) / max(1, len(drawn))
        bars = "".join(
            f"M{NAME + room * i:.2f} {base}v{-STRIP * min(n, MOST_TIMES) / MOST_TIMES:.1f}"
            f"h{0.8 * room:.2f}V{base}z"
            for i, n in enumerate(drawn)
            if n
        )
        parts.append(
            f'<text x="{NAME - 8}" y="{base - 8}" text-anchor="end">{escaped(name)}</text>'
            f'<path d="{bars}" fill="{BLUE}"/>'
            f'<path d="M{NAME} {base + 0.5}H{WIDTH - SIDE}" stroke="{GREY}"/>'
        )
    return _boxed("".join(parts), (STRIP + STRIP_GAP) * len(names), alt)


def _count(
    leads: Sequence[float], edge: float, step: float, n_below: int, n_above: int
) -> list[int]:
    counts = [0] * (n_below + n_above)
    for lead in leads:
        place = floor((lead - edge) / step + SLACK)
        counts[min(max(place + n_below, 0), len(counts) - 1)] += 1
    return counts


def _mark(name: str, row: int, x: float, base: float) -> str:
    y = LINE * (row + 1) - 4
    is_left = x < 0.62 * WIDTH
    return (
        f'<path d="M{x:.1f} {y - 10}V{base}" stroke="currentColor" stroke-width="2"'
        f' stroke-dasharray="{("", "7 4", "2 3")[row % 3]}"/>'
        f'<text x="{x + 6 if is_left else x - 6:.1f}" y="{y}"'
        f' text-anchor="{"start" if is_left else "end"}">{escaped(name)}</text>'
    )


def _pattern() -> str:
    return (
        '<defs><pattern id="beyond" width="5" height="5" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><rect width="5" height="5" fill="{VERMILION}"'
        f' fill-opacity=".35"/><line x1="0" y1="0" x2="0" y2="5" stroke="{VERMILION}"'
        ' stroke-width="3"/></pattern></defs>'
    )


def _boxed(inside: str, height: float, alt: str) -> str:
    return (
        '<div class="resamples"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {height:.0f}">{inside}</svg></div>'
    )
