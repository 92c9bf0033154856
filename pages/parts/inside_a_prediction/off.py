"""What is switched off, with undo: a text in the link, such as "3-2 5-0".

That is head 2 of layer 3, and all of layer 5.
"""

import re
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.kit.part import Part
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.inside.switches import Head

HISTORY = "inside_a_prediction_off_history"  # session state
MOST_UNDO, LONGEST = 50, 4000


def read(p: Part, n_layers: int, n_heads: int) -> tuple["Head", ...]:
    """Return what is off; what else a link says is left out."""
    from mlm_core.inside.switches import Head

    found = re.findall(r"(\d{1,3})-(\d{1,3})", p.drawn("off", "", longest=LONGEST) or "")
    named = {Head(int(layer), int(head)) for layer, head in found}
    off = tuple(
        one for one in sorted(named) if 1 <= one.layer <= n_layers and 0 <= one.head <= n_heads
    )
    inputs.keep(p.key("off"), written(off), "")
    return off


def written(off: tuple["Head", ...]) -> str:
    """Return what is off as the link has it."""
    return " ".join(f"{layer}-{head}" for layer, head in off)


def _history() -> list[str]:
    return st.session_state.setdefault(HISTORY, [])


def show_buttons(p: Part, *, is_any_off: bool) -> None:
    """Show the buttons that take back a click, and all of them."""
    is_new = not _history()
    p.button("undo", _undo, p, icon="undo", changes=["off"], disabled=is_new)
    p.button("all_on", _set, p, "", icon="restart_alt", changes=["off"], disabled=not is_any_off)


def _set(p: Part, off: str) -> None:
    before = st.session_state[p.key("off")]
    if inputs.choose(p.key("off"), off):
        _history().append(before)
        del _history()[:-MOST_UNDO]


def _undo(p: Part) -> None:
    if _history():
        inputs.choose(p.key("off"), _history().pop())


def click(p: Part, off: tuple["Head", ...], value: str) -> None:
    """Switch what was clicked or drawn over: all as the first of them."""
    from mlm_core.inside.switches import Head

    places = [one.split(",") for one in value.split(" ")]
    clicked = [Head(int(layer) + 1, int(head) + 1) for head, layer in places]
    kept = set(off) - set(clicked) if clicked[0] in off else set(off) | set(clicked)
    _set(p, written(tuple(sorted(kept))))
