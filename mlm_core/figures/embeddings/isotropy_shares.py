"""The largest dimensions' proportions of the mean cosine, with their running sum.

Each bar is a button with the value "0,rank"; the arrow keys go from bar to bar. The last bar is the
sum of all other dimensions and is no button.

Read before this: ../theme.py.
"""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, escaped
from mlm_core.number_format import formatted

LEFT, RIGHT, TOP, BARS, BOTTOM = 46, 10, 10, 190, 62  # the drawing's units
STEP = 24  # from bar to bar

STYLE = f"""
.dimension-shares {{ overflow-x: auto; font-family: {FONT}; }}
.dimension-shares svg {{ display: block; height: auto; }}
.dimension-shares text {{ font-size: 13px; fill: currentColor; }}
.dimension-shares .bar {{ cursor: pointer; outline: none; }}
.dimension-shares .bar:hover .back,
.dimension-shares .bar:focus-visible .back {{ fill-opacity: .18; }}
"""


def shares_svg(
    names: Sequence[str],
    proportions: Sequence[float],
    *,
    rest: tuple[str, float],
    chosen: int,
    x_title: str,
    sum_title: str,
    alt: str,
) -> str:
    """Return a bar for each dimension, largest first, and one for the `rest`.

    Raises ValueError if names and shares differ in number.
    """
    if len(names) != len(proportions):
        raise ValueError(f"{len(names)} names for {len(proportions)} shares: give one name a share")
    running, total = [], 0.0
    for proportion in (*proportions, rest[1]):
        total += proportion
        running.append(total)
    # A dimension can lower the mean cosine, so that those before it sum to more than 1.
    highest = max(1.0, *running, *proportions)
    width = LEFT + STEP * (len(proportions) + 2) + RIGHT

    def place(rank: int, proportion: float) -> tuple[float, float]:
        return LEFT + STEP * (rank + 0.5), TOP + BARS * (1 - max(proportion, 0.0) / highest)

    parts = [*_grid(width, place, highest)]
    for rank, (name, proportion) in enumerate(zip(names, proportions, strict=True)):
        parts.append(_bar(rank, name, proportion, place, rank == chosen))
    parts.append(_rest(len(proportions), rest, place))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(i, s) for i, s in enumerate(running)))
    parts.append(
        f'<polyline points="{line}" fill="none" stroke="{ORANGE}" stroke-width="2.5"'
        ' stroke-dasharray="7 4" pointer-events="none"/>'
    )
    x, y = place(len(proportions) - 3, running[max(0, len(proportions) - 3)])
    parts.append(
        f'<text x="{x:.0f}" y="{y + (22 if y < TOP + 40 else -10):.0f}" text-anchor="middle">'
        f"{escaped(sum_title)}</text>"
        f'<text x="{width / 2:.0f}" y="{TOP + BARS + BOTTOM - 4}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
    )
    return (
        f'<div class="dimension-shares"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {TOP + BARS + BOTTOM}"'
        f' style="width:100%;max-width:{1.35 * width:.0f}px;min-width:{0.85 * width:.0f}px">'
        f"{''.join(parts)}</svg></div>"
    )


def _grid(width: float, place, highest: float) -> list[str]:
    parts = []
    for quarter in range(5):
        y = place(0, quarter / 4)[1]
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{width - RIGHT}" stroke="{GREY}" opacity=".25"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{25 * quarter} %</text>'
        )
    return parts


def _bar(rank: int, name: str, proportion: float, place, is_chosen: bool) -> str:
    x, y = place(rank, proportion)
    base = TOP + BARS
    title = f"{name}: {formatted(100 * proportion, '.1f')} %"
    outline = ' stroke="currentColor" stroke-width="1.5"' if is_chosen else ""
    return (
        f'<g class="bar" role="button" tabindex="{0 if is_chosen else -1}" data-value="0,{rank}"'
        f' data-row="0" data-column="{rank}" aria-pressed="{str(is_chosen).lower()}"'
        f' aria-label="{escaped(title)}"><title>{escaped(title)}</title>'
        f'<rect class="back" x="{x - STEP / 2 + 1:.1f}" y="{TOP}" width="{STEP - 2}"'
        f' height="{BARS + 34}" rx="3" fill="{BLUE}" fill-opacity="0"{outline}/>'
        f'<rect x="{x - STEP / 2 + 4:.1f}" y="{y:.1f}" width="{STEP - 8}"'
        f' height="{base - y:.1f}" fill="{BLUE}"/>'
        f'<text transform="translate({x + 4:.1f} {base + 30}) rotate(-90)">{escaped(name, 5)}'
        "</text></g>"
    )


def _rest(rank: int, rest: tuple[str, float], place) -> str:
    x, y = place(rank, rest[1])
    x += STEP / 2
    base = TOP + BARS
    return (
        f"<g><title>{escaped(rest[0])}: {formatted(100 * rest[1], '.1f')} %</title>"
        f'<rect x="{x - STEP / 2 + 2:.1f}" y="{y:.1f}" width="{STEP - 4}" height="{base - y:.1f}"'
        f' fill="{GREY}" fill-opacity=".6"/>'
        f'<text x="{x + STEP / 2:.1f}" y="{y - 7:.1f}" text-anchor="end">'
        f"{escaped(rest[0])}</text></g>"
    )
