"""Every head of a model on one text, as a grid of small matrices that can be clicked.

Cells are drawn in ten shades, each shade of a head as one path: a model of 144 heads on 64
tokens has over half a million weights, most of them too small to see.
"""

from collections.abc import Sequence

import numpy as np

from mlm_core.figures.svg import cell_button, element, path, rect, svg, text, title, two_widths
from mlm_core.figures.theme import BLUE, GREY

SIDE, GAP, TOP, STRIP = 100, 12, 28, 20  # the drawing's units
SMALLEST = 11  # letters, in pixels where a head has its largest width
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
    """Return the grid, one row a layer; `weights[layer]` is [head, query, key].

    A grid of twice as many layers as heads is drawn in two halves, side by side, and for a narrow
    box as one, which shows the cells of the halves again. Each head is a button with data-value
    "layer,head", counted from 0; `widest` is the largest width of one head on the screen, in
    pixels. Bars below a head show `lengths[layer]`, [head, key], the longest of the head as high as
    the strip, and a dot marks the key `marks[layer]`, [head, query], where it is not -1.
    """
    about = (layer_word, head_word, widest, alt, STRIP if len(lengths) else 0)
    cells = [[_cells(head) for head in layer] for layer in weights]
    for layer, below, marked in zip(cells, lengths, marks, strict=False):
        for head, bars, keys in zip(layer, below, marked, strict=True):
            head += _bars_and_dots(bars, keys)
    if len(cells) < 2 * len(cells[0]):
        return _grid(cells, 1, *about)
    named = [
        [[element("g", *head, id=f"head-{i}-{k}")] for k, head in enumerate(layer)]
        for i, layer in enumerate(cells)
    ]
    again = [
        [[element("use", href=f"#head-{i}-{k}")] for k in range(len(layer))]
        for i, layer in enumerate(cells)
    ]
    return two_widths(_grid(named, 2, *about), _grid(again, 1, *about))


def _grid(
    cells: Sequence[Sequence[Sequence[str]]],
    n_columns: int,
    layer_word: str,
    head_word: str,
    widest: int,
    alt: str,
    below: int,
) -> str:
    """Return the layers in that many columns, the first layers in the first.

    `cells[layer][head]` are the elements of one head.
    """
    n_layers, n_heads = len(cells), len(cells[0])
    size = max(13, SMALLEST * SIDE / widest)
    pitch, left = SIDE + GAP, 12 + 0.62 * size * len(f"{layer_word} {n_layers}")
    across, down = left + n_heads * pitch, -(-n_layers // n_columns)
    width, height = n_columns * across, TOP + down * (pitch + below)
    parts = [
        text(x + k * pitch + SIDE / 2, 18, f"{head_word} {k + 1}", text_anchor="middle")
        for x in (left + column * across for column in range(n_columns))
        for k in range(n_heads)
    ]
    frame = {"fill": "transparent", "stroke": GREY, "stroke_opacity": 0.6, "class_": "hit"}
    for i, layer in enumerate(cells):
        x, y = left + i // down * across, TOP + i % down * (pitch + below)
        row = f"{layer_word} {i + 1}"
        parts.append(text(x - 8, y + SIDE / 2 + 4, row, text_anchor="end"))
        for k, head in enumerate(layer):
            name = f"{row}, {head_word} {k + 1}"
            place = f"translate({x + k * pitch} {y})"
            is_stop = (i, k) == (0, 0)
            click = cell_button(i, k, is_stop=is_stop, aria_label=name, transform=place)
            drawn = (title(name), *head, rect(0, 0, SIDE, SIDE, **frame))
            parts.append(element("g", *drawn, **click))
    return svg(
        "heads",
        parts,
        width,
        height,
        alt=alt,
        widest=width * widest / SIDE,
        narrowest=width * widest / SIDE * (0.9 if n_columns == 1 else 0.81),
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
