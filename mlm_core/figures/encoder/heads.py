"""Every head of a model on one text, as a grid of small matrices that can be clicked.

Cells are drawn in ten shades, each shade of a head as one path: a model of 144 heads on 64
tokens has over half a million weights, most of them too small to see.
"""

from collections.abc import Sequence

import numpy as np

from mlm_core.figures.svg import cell_button, element, path, rect, svg, text, title, two_widths
from mlm_core.figures.theme import BLUE, GREY

SIDE, GAP, TOP, STRIP = 100, 12, 28, 20  # the drawing's units
SMALLEST = 12.5  # letters, in pixels where a head has its largest width
NARROWEST = 0.8  # of that width; below it the box scrolls
SHADES = 10


def heads_svg(
    weights: Sequence[np.ndarray],
    lengths: Sequence[np.ndarray] = (),
    marks: Sequence[np.ndarray] = (),
    *,
    layer_word: str,
    head_word: str,
    widest: int = 150,
    alt: str,
) -> str:
    """Return the grid, layers across and, in a narrow box, downwards.

    `weights[layer]` is [head, query, key]. Each head is a button with data-value "head,layer",
    counted from 0; `widest` is the largest width of one head on the screen, in pixels. Bars below a
    head show `lengths[layer]`, [head, key], the longest of the head as high as the strip, and a dot
    marks the key `marks[layer]`, [head, query], where it is not -1.
    """
    cells = [[_cells(head) for head in layer] for layer in weights]
    for layer, below, marked in zip(cells, lengths, marks, strict=False):
        for head, bars, keys in zip(layer, below, marked, strict=True):
            head += _bars_and_dots(bars, keys)
    about = (layer_word, head_word, widest, alt, STRIP if len(lengths) else 0)
    return two_widths(_grid(cells, True, *about), _grid(cells, False, *about))


def _grid(
    cells: Sequence[Sequence[Sequence[str]]],
    is_wide: bool,
    layer_word: str,
    head_word: str,
    widest: int,
    alt: str,
    below: int,
) -> str:
    """Return the heads, with the layers side by side if it `is_wide`, else one below the other.

    The narrow one shows the cells of the wide one again.
    """
    layers = [f"{layer_word} {i + 1}" for i in range(len(cells))]
    heads = [f"{head_word} {k + 1}" for k in range(len(cells[0]))]
    across, down = (layers, heads) if is_wide else (heads, layers)
    size = max(13, SMALLEST * SIDE / widest)
    pitch, left = SIDE + GAP, 12 + 0.62 * size * max(map(len, down))
    width, height = left + len(across) * pitch, TOP + len(down) * (pitch + below)
    is_short = 0.62 * size * max(map(len, across)) > pitch  # numbers alone, the word at the left
    parts = [
        text(left + (j + 0.5) * pitch - GAP / 2, 18, name, text_anchor="middle")
        for j, name in enumerate(map(str, range(1, len(across) + 1)) if is_short else across)
    ]
    if is_short:
        word = layer_word if is_wide else head_word
        parts.append(text(left - 8, 18, word, text_anchor="end"))
    parts += [
        text(left - 8, TOP + i * (pitch + below) + SIDE / 2 + 4, name, text_anchor="end")
        for i, name in enumerate(down)
    ]
    frame = {"fill": "transparent", "stroke": GREY, "stroke_opacity": 0.6, "class_": "hit"}
    for i, layer in enumerate(cells):
        for k, head in enumerate(layer):
            row, column = (k, i) if is_wide else (i, k)
            at = f"translate({left + column * pitch} {TOP + row * (pitch + below)})"
            name, is_stop = f"{layers[i]}, {heads[k]}", i == k == 0
            about = {"aria_label": name, "transform": at}
            click = cell_button(row, column, f"{k},{i}", is_stop=is_stop, **about)
            named = f"head-{i}-{k}"
            shown = element("g", *head, id=named) if is_wide else element("use", href=f"#{named}")
            border = rect(0, 0, SIDE, SIDE, **frame)
            parts.append(element("g", title(name), shown, border, **click))
    return svg(
        "heads",
        parts,
        width,
        height,
        alt=alt,
        widest=width * widest / SIDE,
        narrowest=width * widest / SIDE * NARROWEST,
        size=size,
        role="group",
    )


def _cells(head: np.ndarray) -> list[str]:
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
            paths.append(path(steps, fill=BLUE, fill_opacity=level / SHADES))
    return paths


def _bars_and_dots(lengths: np.ndarray, keys: np.ndarray) -> list[str]:
    """Return a bar below each key's column, and a dot on each marked cell."""
    size, longest = SIDE / len(lengths), lengths.max() or 1.0
    bars = "".join(
        f"M{(j + 0.15) * size:.4g} {SIDE + STRIP}h{0.7 * size:.3g}v-{STRIP * length:.3g}"
        f"h-{0.7 * size:.3g}z"
        for j, length in enumerate((lengths / longest).tolist())
    )
    dots = "".join(
        f"M{(key + 0.5) * size:.4g} {(i + 0.5) * size:.4g}h0"
        for i, key in enumerate(keys.tolist())
        if key >= 0
    )
    round_dots = {"stroke": "currentColor", "stroke_width": 0.6 * size, "stroke_linecap": "round"}
    return [path(bars, fill=GREY), *([path(dots, **round_dots)] if dots else [])]
