"""A mask drawn cell by cell, with undo, kept in the link."""

import streamlit as st

from pages.shared.course.words import Words
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

KEY = "attention_mask_drawn"
HISTORY = "attention_mask_drawn_history"
MOST_UNDO = 50


def drawn_mask(page: Page, n_tokens: int, *, paints: bool) -> str:
    """Return the mask as drawn_masks.py writes it; show the board's buttons where it is painted."""
    from mlm_core.classroom.drawn_masks import mask_from_text, mask_to_text
    from mlm_core.encoder.attention import causal_mask

    words = page.words
    causal = mask_to_text(causal_mask(n_tokens))
    drawn = inputs.drawn(words.label("drawn_mask"), causal, key=KEY) or causal
    try:
        mask = mask_from_text(drawn, n_tokens)
    except ValueError:
        st.warning(words.section("drawn.bad_link"), icon=":material/link_off:")
        mask = causal_mask(n_tokens)
    drawn = mask_to_text(mask)
    inputs.keep(KEY, drawn, causal)
    if paints:
        _show_buttons(words, n_tokens, causal)
    else:
        st.caption(words.section("drawn.elsewhere", part=words.plain("part_flow")))
    return drawn


def _show_buttons(words: Words, n_tokens: int, causal: str) -> None:
    from mlm_core.classroom.drawn_masks import mask_to_text
    from mlm_core.encoder.attention import bidirectional_mask

    st.caption(words.section("drawn.how"))
    starts = {
        "start_causal": causal,
        "start_all": mask_to_text(bidirectional_mask(n_tokens)),
        "start_nothing": mask_to_text(~bidirectional_mask(n_tokens)),
    }
    with st.container(horizontal=True):
        for name, start in starts.items():
            inputs.button(
                words.label(name),
                changes=KEY,
                on_click=_set,
                args=(start,),
                key=f"{KEY}_{name}",
            )
        inputs.button(
            words.label("undo"),
            changes=KEY,
            on_click=_undo,
            disabled=not st.session_state.get(HISTORY),
            icon=":material/undo:",
            key=f"{KEY}_undo",
        )


def paint(cells: str, n_tokens: int) -> None:
    """Open or block the cells that were clicked or drawn over."""
    from mlm_core.classroom.drawn_masks import mask_from_text, mask_to_text, painted

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
