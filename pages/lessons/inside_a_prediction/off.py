"""What is switched off, with undo: a text in the link, such as "3-2 5-0".

That is head 2 of layer 3, and all of layer 5.
"""

import re

from mlm_core.inside.switches import Head
from pages.kit.part import Part

LONGEST = 4000


def read(p: Part, n_layers: int, n_heads: int) -> tuple[Head, ...]:
    """Return what is off; what else a link says is left out."""
    found = re.findall(r"(\d{1,3})-(\d{1,3})", p.drawn("off", "", longest=LONGEST) or "")
    named = {Head(int(layer), int(head)) for layer, head in found}
    off = tuple(
        one for one in sorted(named) if 1 <= one.layer <= n_layers and 0 <= one.head <= n_heads
    )
    p.write_to_link("off", written(off))
    return off


def written(off: tuple[Head, ...]) -> str:
    """Return what is off as the link has it."""
    return " ".join(f"{layer}-{head}" for layer, head in off)


def show_buttons(p: Part, *, is_any_off: bool) -> None:
    """Show the buttons that take back a click, and all of them."""
    undo = {"icon": "undo", "disabled": not p.can_undo("off")}
    p.button("undo", p.undo, "off", changes=["off"], **undo)
    all_on = {"icon": "restart_alt", "disabled": not is_any_off}
    p.button("all_on", p.change, "off", "", changes=["off"], **all_on)


def click(p: Part, off: tuple[Head, ...], value: str) -> None:
    """Switch what was clicked or drawn over: all as the first of them."""
    places = [one.split(",") for one in value.split(" ")]
    clicked = [Head(int(layer) + 1, int(head) + 1) for head, layer in places]
    kept = set(off) - set(clicked) if clicked[0] in off else set(off) | set(clicked)
    p.change("off", written(tuple(sorted(kept))))
