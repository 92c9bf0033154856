"""Every head of a model on one text, as a grid of small matrices that can be clicked.

Cells are drawn in ten shades, each shade of a head as one path: a model of 144 heads on 64
tokens has over half a million weights, most of them too small to see.
"""

from collections.abc import Sequence

import numpy as np

from mlm_core.figures.theme import BLUE, GREEN, GREY, escaped

SIDE, GAP, LEFT, TOP = 100, 12, 76, 24  # the drawing's units
SHADES = 10

STYLE = f"""
.heads svg {{ display: block; width: 100%; height: auto; }}
.heads text {{ font-size: 13px; fill: currentColor; }}
.heads [data-value] {{ cursor: pointer; }}
.heads [data-value]:hover .frame, .heads [data-value]:focus-visible .frame {{
  stroke: {GREEN}; stroke-width: 3; }}
"""


def heads_svg(
    weights: Sequence[np.ndarray], *, layer_word: str, head_word: str, widest: int = 150, alt: str
) -> str:
    """Return the grid, one row a layer; `weights[layer]` is [head, query, key].

    Each head is a button with data-value "layer,head", counted from 0; `widest` is the largest
    width of one head on the screen, in pixels.
    """
    n_layers, n_heads = len(weights), len(weights[0])
    pitch = SIDE + GAP
    width, height = LEFT + n_heads * pitch, TOP + n_layers * pitch
    parts = [
        f'<text x="{LEFT + k * pitch + SIDE / 2}" y="14" text-anchor="middle">'
        f"{escaped(head_word)} {k + 1}</text>"
        for k in range(n_heads)
    ]
    for i, layer in enumerate(weights):
        y = TOP + i * pitch
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + SIDE / 2 + 4}" text-anchor="end">'
            f"{escaped(layer_word)} {i + 1}</text>"
        )
        for k, head in enumerate(layer):
            name = escaped(f"{layer_word} {i + 1}, {head_word} {k + 1}")
            stop = 0 if (i, k) == (0, 0) else -1
            parts.append(
                f'<g transform="translate({LEFT + k * pitch} {y})" data-value="{i},{k}"'
                f' data-row="{i}" data-column="{k}" tabindex="{stop}" role="button"'
                f' aria-label="{name}"><title>{name}</title>{_cells(head)}'
                f'<rect class="frame" width="{SIDE}" height="{SIDE}" fill="transparent"'
                f' stroke="{GREY}" stroke-opacity=".6"/></g>'
            )
    return (
        f'<div class="heads"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{LEFT + n_heads * widest}px">{"".join(parts)}</svg></div>'
    )


def _cells(head: np.ndarray) -> str:
    """Return the visible cells of one head; a weight under half a shade is left out."""
    size = SIDE / head.shape[0]
    shade = np.rint(head * SHADES).astype(int)
    paths = []
    for level in range(1, SHADES + 1):
        rows, columns = np.nonzero(shade == level)
        if len(rows):
            steps = "".join(
                f"M{column * size:.4g} {row * size:.4g}h{size:.3g}v{size:.3g}h-{size:.3g}z"
                for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
            )
            paths.append(f'<path d="{steps}" fill="{BLUE}" fill-opacity="{level / SHADES}"/>')
    return "".join(paths)
