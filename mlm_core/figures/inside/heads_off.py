"""The heads of a model as a board of switches.

A cell is a head, by layer: hatched where it is off, with the change of the loss where that was
measured. The number of a layer is a button for all of it.

Read before this: ../matrix.py. Read next: heads_in_turn.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import (
    cell_button,
    element,
    hatching,
    path,
    rect,
    svg,
    text,
    title,
    two_widths,
)
from mlm_core.figures.theme import BLUE, GREY, VERMILION, on_shade
from mlm_core.number_format import formatted

CELL, NAMES = 44, 66  # the drawing's units: a cell, the heads' names
MOST_WITH_NUMBERS = 14  # cells side by side; with more, numbers stand in titles and tables


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A head on the board."""

    name: str
    is_off: bool
    change: float | None = None  # of the loss without this head, if measured


@dataclass(frozen=True, kw_only=True)
class BoardNames:
    """What the board calls its rows and columns."""

    layer: str
    head: str


def board_svg(
    switches: Sequence[Sequence[Switch]],
    layers_off: Sequence[bool],
    names: BoardNames,
    *,
    alt: str,
) -> str:
    """Return the board of `switches[layer][head]`: layers across, and on a phone downwards.

    A head is a button with data-value "head,layer", a layer one with "-1,layer", from 0.
    """
    found = [abs(one.change) for layer in switches for one in layer if one.change is not None]
    reach = max(found, default=1.0) or 1.0
    n_layers, n_heads = len(switches), max(map(len, switches), default=0)
    drawn = []
    for kind, across, down in (("wide", n_layers, n_heads), ("narrow", n_heads, n_layers)):
        is_wide = kind == "wide"
        with_numbers = across <= MOST_WITH_NUMBERS
        hatch = f"hatch-{kind}"
        parts = [hatching(hatch), *_names(n_layers, n_heads, names, is_wide)]
        for i, layer in enumerate(switches):
            parts.append(_layer(i, layers_off[i], names, is_wide, hatch))
            for j, one in enumerate(layer):
                x, y = _place(i, j, is_wide)
                click = cell_button(*_at(i, j, is_wide), f"{j},{i}", is_stop=(i, j) == (0, 0))
                parts.append(_switch(one, layers_off[i], x, y, reach, with_numbers, click, hatch))
        width, height = NAMES + CELL * across + 4, 26 + CELL * (down + is_wide)
        narrowest = NAMES + min(CELL, 32) * across
        board = svg(
            "switches",
            parts,
            width,
            height,
            alt=alt,
            narrowest=narrowest,
            size=13,
            role="group",
            drag="",
        )
        drawn.append(board)
    return two_widths(*drawn)


def _place(layer: int, head: int, is_wide: bool) -> tuple[float, float]:
    """Return where a head's cell is; head -1 is the button of the whole layer."""
    if is_wide:
        return NAMES + CELL * layer, 22 + CELL * (head + 1)
    return NAMES + CELL * head, 22 + CELL * layer


def _at(layer: int, head: int, is_wide: bool) -> tuple[int, int]:
    """Return the row and column of a head's cell, or with -1 of the whole layer's."""
    return (head, layer) if is_wide else (layer, head)


def _names(n_layers: int, n_heads: int, names: BoardNames, is_wide: bool) -> list[str]:
    """Return the names of the layers' row and of each head's, or of the columns on a phone."""
    if is_wide:
        beside = [names.layer, *(f"{names.head} {j + 1}" for j in range(n_heads))]
        return [
            text(NAMES - 8, 22 + CELL * (i + 0.5) + 4, named, 9, text_anchor="end")
            for i, named in enumerate(beside)
        ]
    above = [(NAMES + CELL * (j + 0.5), f"{names.head} {j + 1}") for j in range(n_heads)]
    return [
        text(NAMES - 12, 15, names.layer, 7, text_anchor="end", font_size=11),
        *(text(x, 15, named, 7, text_anchor="middle", font_size=11) for x, named in above),
    ]


def _layer(layer: int, is_off: bool, names: BoardNames, is_wide: bool, hatch: str) -> str:
    """Return a layer's number, which switches all of it."""
    x, y = _place(layer, -1, is_wide)
    named = f"{names.layer} {layer + 1}"
    fill = f"url(#{hatch})" if is_off else "transparent"
    look = {"fill": fill, "stroke": GREY, "stroke_opacity": 0.8, "rx": CELL / 2, "class_": "hit"}
    pressed = str(is_off).lower()
    place = _at(layer, -1, is_wide)
    click = cell_button(*place, f"-1,{layer}", aria_label=named, aria_pressed=pressed)
    return element(
        "g",
        title(named),
        rect(x + 3, y + 3, CELL - 6, CELL - 6, **look),
        text(x + CELL / 2, y + CELL / 2 + 4.5, str(layer + 1), text_anchor="middle"),
        cross(x, y, CELL) if is_off else "",
        **click,
    )


def _switch(
    one: Switch,
    layer_is_off: bool,
    x: float,
    y: float,
    reach: float,
    with_number: bool,
    click: dict,
    hatch: str,
) -> str:
    """Return a head's cell."""
    is_off = one.is_off or layer_is_off
    shade = 0.0 if one.change is None else min(1.0, abs(one.change) / reach)
    is_negative = (one.change or 0.0) < 0
    fill = f"url(#{hatch})" if is_off else VERMILION if is_negative else BLUE
    look = {"fill": fill, "stroke": GREY, "stroke_opacity": 0.5, "rx": 3, "class_": "hit"}
    look["fill_opacity"] = 1.0 if is_off else shade
    written = ""
    if with_number and one.change is not None and not is_off:
        style = on_shade(shade, is_negative=is_negative)
        number = formatted(one.change, "+z.2f")
        written = text(
            x + CELL / 2,
            y + CELL / 2 + 4,
            number,
            font_size=12,
            text_anchor="middle",
            style=style,
        )
    click |= {"aria_label": one.name, "aria_pressed": str(one.is_off).lower()}
    return element(
        "g",
        title(one.name),
        rect(x + 1, y + 1, CELL - 2, CELL - 2, **look),
        written,
        cross(x, y, CELL) if one.is_off else "",
        **click,
    )


def cross(x: float, y: float, size: float, **look: str | float | None) -> str:
    """Return the cross over a cell of this size that is off."""
    low, high = size * 0.22, size * 0.78
    lines = f"M{x + low:.1f} {y + low:.1f}L{x + high:.1f} {y + high:.1f}"
    lines += f"M{x + high:.1f} {y + low:.1f}L{x + low:.1f} {y + high:.1f}"
    return path(
        lines,
        stroke="currentColor",
        stroke_width=1.6,
        stroke_opacity=0.75,
        pointer_events="none",
        **look,
    )
