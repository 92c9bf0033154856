"""Each model as a line from its accuracy on one part to that on another; one line stands out.

Read before this: ../theme.py.
"""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, escaped
from mlm_core.number_format import formatted

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 250, 92, 268, 30, 14  # the drawing's units
DOT = 4.0
LABEL_HEIGHT = 15


def slopes_svg(
    pairs: Sequence[tuple[float, float]], chosen: int, *, names: tuple[str, str, str], alt: str
) -> str:
    """Return the lines of all pairs, from 0 to 1; `names` are those of both ends and of the mean.

    The mean of all is dashed.
    """
    values = [value for pair in pairs for value in pair]
    lowest, highest = min(values), max(values)
    span = (highest - lowest) or 1.0

    def y(value: float) -> float:
        return TOP + 8 + (highest - value) / span * (HEIGHT - TOP - BOTTOM - 16)

    def line(pair: tuple[float, float], style: str) -> str:
        return f'<path d="M{LEFT} {y(pair[0]):.1f}L{RIGHT} {y(pair[1]):.1f}" {style}/>'

    means = tuple(sum(ends) / len(pairs) for ends in zip(*pairs, strict=True))
    parts = [
        f'<text x="{at}" y="16" text-anchor="middle" font-weight="700">{escaped(name)}</text>'
        for at, name in zip((LEFT, RIGHT), names, strict=False)
    ]
    for pair in pairs:
        parts.append(line(pair, f'stroke="{GREY}" stroke-opacity=".5"'))
        parts += [_dot(at, y(one), GREY) for at, one in zip((LEFT, RIGHT), pair, strict=True)]
    parts.append(line(means, f'stroke="{BLUE}" stroke-width="2" stroke-dasharray="5 4"'))
    parts.append(line(pairs[chosen], f'stroke="{ORANGE}" stroke-width="3"'))
    parts += [_dot(at, y(v), ORANGE) for at, v in zip((LEFT, RIGHT), pairs[chosen], strict=True)]
    for at, anchor, best, mean in zip(
        (LEFT - 10, RIGHT + 10), ("end", "start"), pairs[chosen], means, strict=True
    ):
        # Two labels at almost the same height move apart.
        push = max(0.0, LABEL_HEIGHT - abs(y(best) - y(mean))) / 2
        up = -push if best >= mean else push
        place = f'x="{at}" text-anchor="{anchor}"'
        parts.append(
            f'<text {place} y="{y(best) + 5 + up:.1f}" font-weight="700">'
            f"{formatted(100 * best, '.1f')} %</text>"
            f'<text {place} y="{y(mean) + 5 - up:.1f}">'
            f"{escaped(names[2])} {formatted(100 * mean, '.1f')} %</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escaped(alt)}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" style="width:100%;height:auto;max-width:'
        f'{round(1.4 * WIDTH)}px;font-family:{escaped(FONT)}" font-size="13" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x}" cy="{y:.1f}" r="{DOT}" fill="{colour}"/>'
