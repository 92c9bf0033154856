"""Counts as bars, each with a mark at its expected value, as an SVG text."""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, TOKEN_FONT, escaped
from mlm_core.number_format import formatted

LONGEST_LABEL = 16  # characters before a bar

STYLE = f"""
.counts text {{ font-family: {TOKEN_FONT}; fill: currentColor; }}
.counts svg {{ display: block; height: auto; }}
"""


def counts_svg(
    names: Sequence[str],
    observed: Sequence[float],
    expected: Sequence[float] | None,
    *,
    alt: str,
    colours: Sequence[str] | None = None,
) -> str:
    """Return a bar for each count with a mark at its expected value."""
    row, letter, bar = 30, 8.4, 250
    left = letter * max((min(len(name), LONGEST_LABEL) for name in names), default=0) + 12
    longest = max([*observed, *(expected or ()), 1e-9])
    parts = []
    for i, (name, value) in enumerate(zip(names, observed, strict=True)):
        y, colour = row * i, colours[i] if colours else BLUE
        parts.append(
            f'<text x="{left - 8:.0f}" y="{y + 20}" text-anchor="end" font-size="14">'
            f"<title>{escaped(name)}</title>{escaped(name, LONGEST_LABEL)}</text>"
            f'<rect x="{left:.1f}" y="{y + 6}" width="{bar * value / longest:.1f}"'
            f' height="{row - 12}" rx="2" fill="{colour}" fill-opacity=".75"/>'
        )
        end = formatted(value, ",.0f")
        if expected is not None:
            x = left + bar * expected[i] / longest
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y + 2}" y2="{y + row - 2}"'
                ' stroke="currentColor" stroke-width="2.5"/>'
            )
            end += f'<tspan opacity=".75"> / {formatted(expected[i], ",.0f")}</tspan>'
        parts.append(f'<text x="{left + bar + 8:.0f}" y="{y + 20}" font-size="13">{end}</text>')
    width, height = left + bar + 150, row * len(names) + 2
    return (
        '<div class="counts"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width:.0f} {height}"'
        f' style="width:100%;max-width:{width * 1.1:.0f}px">{"".join(parts)}</svg></div>'
    )
