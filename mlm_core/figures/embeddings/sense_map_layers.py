"""Accuracy by layer as a small line chart; each layer is a button."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, escaped
from mlm_core.number_format import formatted

WIDTH, HEIGHT = 520, 250  # the drawing's units
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 40
Place = Callable[[int, float], tuple[float, float]]  # (layer, share) to (x, y)
PENS = ((BLUE, ""), (ORANGE, "7 4"))

STYLE = f"""
.layer-line {{ max-width: 640px; font-family: {FONT}; }}
.layer-line svg {{ display: block; width: 100%; height: auto; }}
.layer-line text {{ font-size: 13px; fill: currentColor; }}
.layer-line .layer {{ cursor: pointer; outline: none; }}
.layer-line .layer:hover rect, .layer-line .layer:focus-visible rect {{ fill-opacity: .16; }}
.layer-line ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; }}
.layer-line ul svg {{ display: inline-block; width: 30px; height: 10px; margin-right: .4rem; }}
"""


@dataclass(frozen=True, kw_only=True)
class LayerLine:
    """One value a layer, from the embedding output up."""

    name: str
    values: Sequence[float]  # shares, 0 to 1
    is_faint: bool = False  # one of many, behind the lines that count


def layer_lines_html(
    lines: Sequence[LayerLine],
    *,
    baseline: tuple[str, float],
    x_title: str,
    alt: str,
    chosen: int | None = None,
) -> str:
    """Return the lines from 0 to 1 over all layers, with a baseline to compare with.

    A layer's value is "number,0"; the arrow keys go from layer to layer.
    """
    n = len(lines[0].values)
    step = (WIDTH - LEFT - RIGHT) / max(1, n)

    def place(layer: int, value: float) -> tuple[float, float]:
        return LEFT + (layer + 0.5) * step, HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP)

    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = place(0, value)[1]
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GREY}" opacity=".25"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{formatted(100 * value, '.0f')} %</text>"
        )
    y = place(0, baseline[1])[1]
    parts.append(
        f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GREY}" stroke-width="2"'
        f' stroke-dasharray="1 4"/><text x="{WIDTH - RIGHT}" y="{y + 15:.1f}"'
        f' text-anchor="end">{escaped(baseline[0])} {formatted(100 * baseline[1], ".0f")} %</text>'
    )
    strong = [line for line in lines if not line.is_faint]
    for line in lines:
        pen = (GREY, "") if line.is_faint else PENS[strong.index(line) % len(PENS)]
        parts.append(_line([place(i, v) for i, v in enumerate(line.values)], pen, line.is_faint))
    parts += [_layer(i, strong, step, place, i == chosen) for i in range(n)]
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">'
        f"{escaped(x_title)}</text>"
    )
    return (
        f'<div class="layer-line">{_legend(strong)}<svg xmlns="http://www.w3.org/2000/svg"'
        f' role="group" aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg></div>"
    )


def _layer(i: int, lines: Sequence[LayerLine], step: float, place: Place, is_chosen: bool) -> str:
    """Return a layer's column, its name and its points."""
    x, _ = place(i, 0.0)
    values = ", ".join(f"{line.name} {formatted(100 * line.values[i], '.0f')} %" for line in lines)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{place(i, line.values[i])[1]:.1f}" r="4.5"'
        f' fill="{PENS[k % len(PENS)][0]}"/>'
        for k, line in enumerate(lines[:1])  # dots of a second line would cover them
    )
    outline = ' stroke="currentColor" stroke-width="1.5"' if is_chosen else ""
    return (
        f'<g class="layer" role="button" tabindex="{0 if is_chosen or i == 0 else -1}"'
        f' aria-pressed="{str(is_chosen).lower()}" data-value="0,{i}" data-row="0"'
        f' data-column="{i}" aria-label="{i}: {escaped(values)}"><title>{i}: {escaped(values)}'
        f'</title><rect x="{x - step / 2 + 1:.1f}" y="{TOP}" width="{step - 2:.1f}"'
        f' height="{HEIGHT - BOTTOM - TOP}" rx="3" fill="{BLUE}" fill-opacity="0"{outline}/>'
        f'{dots}<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{i}</text></g>'
    )


def _line(places: Sequence[tuple[float, float]], pen: tuple[str, str], is_faint: bool) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = f' stroke-dasharray="{pen[1]}"' if pen[1] else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{pen[0]}"'
        f' stroke-width="{1 if is_faint else 2.5}" opacity="{0.45 if is_faint else 1}"{dash}/>'
    )


def _legend(lines: Sequence[LayerLine]) -> str:
    entries = "".join(
        f'<li><svg viewBox="0 0 30 10" aria-hidden="true">'
        f"{_line([(0, 5), (30, 5)], PENS[k % len(PENS)], False)}</svg>{escaped(line.name)}</li>"
        for k, line in enumerate(lines)
    )
    return f"<ul>{entries}</ul>"
