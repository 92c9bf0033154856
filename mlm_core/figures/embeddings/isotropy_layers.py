"""One value for each layer and postprocessing, as lines over the layers.

Unlike in ../curves.py, every layer has a tick.

Read before this: isotropy_dots.py.
"""

from collections.abc import Sequence

from mlm_core.figures.curves import PENS
from mlm_core.figures.embeddings.isotropy import tick_label, ticks
from mlm_core.figures.embeddings.isotropy_dots import SHAPES
from mlm_core.figures.theme import FONT, GREY, escaped, significant

WIDTH, HEIGHT = 470, 250  # the drawing's units
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 12, 40
MOST_NUMBERED = 14  # layers; beyond, every second one has its number

STYLE = f"""
.by-layer {{ max-width: 620px; font-family: {FONT}; }}
.by-layer > svg {{ display: block; width: 100%; height: auto; }}
.by-layer text {{ font-size: 13px; fill: currentColor; }}
.by-layer ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; }}
.by-layer ul svg {{ display: inline-block; width: 34px; height: 14px; margin-right: .35rem;
  vertical-align: -2px; }}
"""


def layers_svg(
    lines: Sequence[tuple[str, Sequence[float]]],
    *,
    low: float,
    high: float,
    x_title: str,
    y_title: str,
    alt: str,
    chosen: int | None = None,
) -> str:
    """Return each (name, value a layer) as a line; `chosen` is a layer to mark.

    Raises ValueError if the lines have not the same number of layers.
    """
    if len({len(values) for _, values in lines}) != 1:
        raise ValueError("the lines have different numbers of layers: give each layer one value")
    n = len(lines[0][1])
    step = (WIDTH - LEFT - RIGHT) / n

    def place(layer: int, value: float) -> tuple[float, float]:
        proportion = (min(max(value, low), high) - low) / (high - low)
        return LEFT + (layer + 0.5) * step, TOP + (1 - proportion) * (HEIGHT - BOTTOM - TOP)

    parts = []
    for tick in ticks(low, high):
        y = place(0, tick)[1]
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GREY}" opacity=".3"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick_label(tick)}</text>'
        )
    for layer in range(n):
        x = place(layer, low)[0]
        if layer == chosen:
            parts.append(
                f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="currentColor" opacity=".5"/>'
            )
        if n <= MOST_NUMBERED or layer % 2 == 0:
            y = HEIGHT - BOTTOM + 17
            parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{layer}</text>')
    parts += [
        _line(k, name, [place(*at) for at in enumerate(values)], values)
        for k, (name, values) in enumerate(lines)
    ]
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">'
        f'{escaped(x_title)}</text><text transform="translate(12 {(TOP + HEIGHT - BOTTOM) / 2})'
        f' rotate(-90)" text-anchor="middle">{escaped(y_title)}</text>'
    )
    return (
        f'<div class="by-layer">{_legend([name for name, _ in lines])}'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escaped(alt)}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg></div>'
    )


def _line(
    pen: int, name: str, places: Sequence[tuple[float, float]], values: Sequence[float]
) -> str:
    colour, dash = PENS[pen % len(PENS)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = "".join(
        f'<path d="{SHAPES[pen % len(SHAPES)]}" fill="{colour}"'
        f' transform="translate({x:.1f} {y:.1f}) scale(.8)">'
        f"<title>{escaped(f'{name}, {layer}: {significant(value, 3)}')}</title></path>"
        for layer, ((x, y), value) in enumerate(zip(places, values, strict=True))
    )
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"'
        f' stroke-dasharray="{dash}"/>{marks}'
    )


def _legend(names: Sequence[str]) -> str:
    entries = "".join(
        f'<li><svg viewBox="-17 -7 34 14" aria-hidden="true"><path d="M-17 0H17"'
        f' stroke="{PENS[k % len(PENS)][0]}" stroke-width="2.5"'
        f' stroke-dasharray="{PENS[k % len(PENS)][1]}"/><path d="{SHAPES[k % len(SHAPES)]}"'
        f' fill="{PENS[k % len(PENS)][0]}"/></svg>{escaped(name)}</li>'
        for k, name in enumerate(names)
    )
    return f"<ul>{entries}</ul>"
