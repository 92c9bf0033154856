"""The buttons of the opening: choose, roll, replace, next token, play all, again."""

import streamlit as st

from mlm_core.masking.steps import PlayState
from pages.parts.masking import dice, setting
from pages.parts.masking.link_number import put
from pages.shared import inputs, locks
from pages.shared.frame import Page

STEP, AT, NEW_SEED = "masking_step", "masking_at", "masking_new_seed"


def show_buttons(page: Page, state: PlayState, *, has_changes: bool) -> None:
    """Show one button a move; the one that comes next stands out."""
    words, upcoming = page.words, state.next[0] if state.next else None
    # The next token begins where the one at play is done.
    to_next = state.n_done + {"roll": 2, "replace": 1, "choose": 1, None: 0}[upcoming]
    steps = {
        "choose": (":material/touch_app:", state.n_done + 1, upcoming == "choose"),
        "roll": (":material/casino:", state.n_done + 1, upcoming == "roll"),
        "replace": (":material/swap_horiz:", state.n_done + 1, upcoming == "replace"),
        "next": (":material/skip_next:", to_next, upcoming in ("roll", "replace")),
        "all": (":material/fast_forward:", state.n_moves, upcoming is not None),
    }
    with st.container(horizontal=True):
        for name, (icon, step, is_possible) in steps.items():
            inputs.button(
                words.label(f"do_{name}"),
                changes=STEP,
                icon=icon,
                on_click=go_to,
                args=(step,),
                disabled=not is_possible,
                type="primary" if is_possible and name == upcoming else "secondary",
                key=f"masking_do_{name}",
            )
        again = words.label("do_again")
        inputs.button(
            again,
            changes=(STEP, setting.SEED, dice.KEY),
            icon=":material/replay:",
            on_click=_again,
            key="masking_do_again",
        )
        if has_changes:
            inputs.button(
                words.label("do_forget"),
                changes=dice.KEY,
                icon=":material/undo:",
                on_click=dice.forget,
                key="masking_do_forget",
            )


def go_to(step: int) -> None:
    """Play to a step, and look at the token at play."""
    put(STEP, step)
    if not locks.is_fixed(AT):
        put(AT, -1)


def _again() -> None:
    """Take the next seed, and begin before anything is chosen."""
    seed = st.session_state.get(setting.SEED) or 0
    st.session_state[setting.SEED] = (seed + 1) % (setting.LAST_SEED + 1)
    st.session_state[NEW_SEED] = True
    dice.forget()
    go_to(0)
