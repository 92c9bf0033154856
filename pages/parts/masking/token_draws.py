"""One token's dice under the drawing: what was decided, and the means to change it."""

import streamlit as st

from mlm_core.figures.masking.corruption import die_svg, thousandths
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState
from pages.parts.masking import dice
from pages.shared.figures.clickable import drawing
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, locks


def show(
    page: Page, corruption: Corruption, state: PlayState, at: int, rule: CorruptionRule
) -> None:
    """Say what was decided about the token at `at`; let the learner roll again or set it."""
    words = page.words
    if not state.is_chosen:
        return
    if at < 0:
        st.caption(words.section("token.none"))
        return
    token, candidate = corruption.tokens[at], corruption.choice.candidates[at]
    if candidate.excluded:
        st.markdown(words.section(f"token.{candidate.excluded}", token=token.text, at=at))
        return
    units = {each.unit for each in corruption.choice.candidates if each.unit is not None}
    st.markdown(
        words.section(
            "token.chosen" if candidate.is_chosen else "token.not_chosen",
            token=token.text,
            at=at,
            draw=thousandths(candidate.draw),
            rank=candidate.rank + 1,
            of=len(units),
            count=corruption.choice.count,
        )
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _one(page, at, "selection", candidate.draw)
    new = corruption.replacements[at]
    if new is None or at not in state.rolled:
        return
    with right:
        drawing(die_svg(rule, new.die, wide=True), key="masking_wide_die")
        _one(page, at, "die", new.die)
        if new.branch == "random":
            inputs.button(
                words.label("other_word"),
                changes=dice.KEY,
                icon=":material/casino:",
                on_click=dice.roll_again,
                args=(at, "word"),
                key="masking_other_word",
            )


def _one(page: Page, at: int, kind: dice.Kind, value: float) -> None:
    """Show one die: a slider to set it and a button to roll it again."""
    if locks.is_hidden(dice.KEY):
        return
    words, key = page.words, f"masking_hand_{kind}_{at}"
    st.session_state[key] = int(value * 1000) / 1000

    def by_hand() -> None:
        dice.set_roll(at, kind, st.session_state[key])

    st.slider(
        words.label(f"set_{kind}"),
        0.0,
        0.999,
        step=0.001,
        format=inputs.fraction_format("%.3f"),
        key=key,
        on_change=by_hand,
        disabled=locks.is_fixed(dice.KEY),
    )
    inputs.button(
        words.label(f"again_{kind}"),
        changes=dice.KEY,
        icon=":material/casino:",
        on_click=dice.roll_again,
        args=(at, kind),
        key=f"masking_again_{kind}",
    )
