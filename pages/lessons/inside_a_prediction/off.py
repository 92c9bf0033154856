"""What is switched off, with undo: a text in the link, such as "3-2 5-0".

That is head 2 of layer 3, and all of layer 5.
"""

import re

from mlm_core.inside.switches import Head
from pages.kit.part import Part

HISTORY = "off_history"
MOST_UNDO, LONGEST = 50, 4000


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
    is_new = not p.state.get(HISTORY)
    p.button("undo", _undo, p, icon="undo", changes=["off"], disabled=is_new)
    p.button("all_on", _set, p, "", icon="restart_alt", changes=["off"], disabled=not is_any_off)


def _set(p: Part, off: str) -> None:
    before = p.drawn_value("off")
    if p.choose("off", off):
        p.state[HISTORY] = [*p.state.get(HISTORY, ()), before][-MOST_UNDO:]


def _undo(p: Part) -> None:
    if history := p.state.get(HISTORY):
        *rest, last = history
        if p.choose("off", last):
            p.state[HISTORY] = rest


def click(p: Part, off: tuple[Head, ...], value: str) -> None:
    """Switch what was clicked or drawn over: all as the first of them."""
    places = [one.split(",") for one in value.split(" ")]
    clicked = [Head(int(layer) + 1, int(head) + 1) for head, layer in places]
    kept = set(off) - set(clicked) if clicked[0] in off else set(off) | set(clicked)
    _set(p, written(tuple(sorted(kept))))
