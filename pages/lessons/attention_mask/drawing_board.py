"""A mask drawn cell by cell, with undo, kept in the link."""

from typing import Any

import streamlit as st

from mlm_core.encoder.attention import bidirectional_mask, causal_mask
from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text, painted
from pages.kit.part import Part
from pages.server.link import inputs

KEY = "attention_mask_drawn"
HISTORY = "attention_mask_drawn_history"
MOST_UNDO = 50


def drawn_mask(p: Part, n_tokens: int, *, paints: bool) -> str:
    """Return the mask as drawn_masks.py writes it; show the board's buttons where it is painted."""
    causal = mask_to_text(causal_mask(n_tokens))
    drawn = p.drawn("drawn", causal) or causal
    try:
        drawn = mask_to_text(mask_from_text(drawn, n_tokens))
    except ValueError:
        p.warn("drawn.bad_link", icon="link_off")
        drawn = causal
    p.write_to_link("drawn", drawn, causal)
    if paints:
        _show_buttons(p, n_tokens, causal)
    else:
        p.caption("drawn.elsewhere", part=p.plain("part_flow"))
    return drawn


def _show_buttons(p: Part, n_tokens: int, causal: str) -> None:
    p.caption("drawn.how")
    everything = bidirectional_mask(n_tokens)
    starts = {
        "start_causal": causal,
        "start_all": mask_to_text(everything),
        "start_nothing": mask_to_text(~everything),
    }
    with p.row("top"):
        for name, start in starts.items():
            settings: dict[str, Any] = {"on_click": _set, "args": (start,), "key": f"{KEY}_{name}"}
            inputs.button(p.label(name), changes=KEY, **settings)
        is_new = not p.state.get("drawn_history")
        p.button("drawn_undo", _undo, icon="undo", changes=("drawn",), disabled=is_new)


def paint(cells: str, n_tokens: int) -> None:
    """Open or block the cells that were clicked or drawn over."""
    _set(mask_to_text(painted(mask_from_text(st.session_state[KEY], n_tokens), cells)))


def _set(drawn: str) -> None:
    before = st.session_state[KEY]
    if inputs.choose(KEY, drawn):
        history = st.session_state.setdefault(HISTORY, [])
        history.append(before)
        del history[:-MOST_UNDO]


def _undo() -> None:
    if st.session_state.get(HISTORY):
        inputs.choose(KEY, st.session_state[HISTORY].pop())
