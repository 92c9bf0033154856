"""A mask drawn cell by cell, with undo, kept in the link."""

from mlm_core.encoder.attention import bidirectional_mask, causal_mask
from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text, painted
from pages.kit.part import Part

HISTORY = "drawn_history"  # state: the masks before, the newest last
MOST_UNDO = 50


def drawn_mask(p: Part, n_tokens: int) -> str:
    """Show the board's buttons; return the mask as drawn_masks.py writes it."""
    causal = mask_to_text(causal_mask(n_tokens))
    drawn = p.drawn("drawn", causal) or causal
    try:
        drawn = mask_to_text(mask_from_text(drawn, n_tokens))
    except ValueError:
        p.warn("drawn.bad_link", icon="link_off")
        drawn = causal
    p.write_to_link("drawn", drawn, causal)
    _show_buttons(p, n_tokens, causal)
    return drawn


def _show_buttons(p: Part, n_tokens: int, causal: str) -> None:
    p.caption("drawn.how")
    everything = bidirectional_mask(n_tokens)
    starts = {
        "drawn_start_causal": causal,
        "drawn_start_all": mask_to_text(everything),
        "drawn_start_nothing": mask_to_text(~everything),
    }
    with p.row("top"):
        for name, start in starts.items():
            p.button(name, _set, p, start, changes=("drawn",))
        is_new = not p.state.get(HISTORY)
        p.button("drawn_undo", _undo, p, icon="undo", changes=("drawn",), disabled=is_new)


def paint(p: Part, cells: str, n_tokens: int) -> None:
    """Open or block the cells that were clicked or drawn over."""
    _set(p, mask_to_text(painted(mask_from_text(p.state["drawn"], n_tokens), cells)))


def _set(p: Part, drawn: str) -> None:
    before = p.state["drawn"]
    if p.choose("drawn", drawn):
        p.state[HISTORY] = [*p.state.get(HISTORY, ()), before][-MOST_UNDO:]


def _undo(p: Part) -> None:
    if history := p.state.get(HISTORY):
        *rest, last = history
        if p.choose("drawn", last):
            p.state[HISTORY] = rest
