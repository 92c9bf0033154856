"""Opening: BERT's corruption in mid-play, one token and one die at a time."""

import streamlit as st

from mlm_core.figures.masking.corruption import PlayNames, play_html, thousandths
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState, choose, corrupt, play_state, replace
from pages.parts.masking import decisions, dice, link_number, setting, token_draws
from pages.parts.masking.play_buttons import AT, NEW_SEED, STEP, show_buttons
from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source

FIRST_STEP = 2  # chosen, and one die has fallen
RULE = CorruptionRule()


@part
def show(page: Page) -> None:
    """Show the sentence as far as it was played, and the buttons that play on."""
    if st.session_state.pop(NEW_SEED, False):
        st.rerun(scope="app")  # the seed's own field stands outside this part
    words, now = page.words, setting.current(page)
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    changes = dice.changed(page)
    rolls = dice.apply(now.rolls(), changes)
    corruption = corrupt(now.text.tokens, rolls, RULE, now.random_words(), now.mask)
    state = play_state(corruption, link_number.read(words.label("play_step"), FIRST_STEP, key=STEP))
    link_number.keep(STEP, state.n_done, FIRST_STEP)
    show_buttons(page, state, has_changes=bool(changes))
    st.markdown(_what_happened(page, corruption, state))
    at = link_number.read(words.label("play_at"), -1, key=AT)
    if not 0 <= at < len(rolls):
        at = state.last[1] if state.last and state.last[1] is not None else -1
    show_drawing(
        play_html(
            corruption,
            state,
            RULE,
            names=row_names(page),
            at=at,
            alt=words.plain("play_alt", n=len(rolls), chosen=len(corruption.choice.positions)),
        ),
        key="masking_play",
        table=lambda: decisions.table_of(corruption),
        source=words.label("play_source", model=page.model_name, seed=now.seed),
        on_click=lambda value: link_number.put(AT, int(value)) if value.isdecimal() else None,
    )
    if state.is_chosen:
        st.markdown(decisions.what_counts(page, corruption))
    token_draws.show(page, corruption, state, at, RULE)
    show_source(choose, replace, key="masking_play_code")


def row_names(page: Page, draw: str = "row_draw") -> PlayNames:
    """Return the names of the drawing's rows."""
    label = page.words.plain
    return PlayNames(
        token=label("row_token"),
        draw=label(draw),
        die=label("row_die"),
        seen=label("row_seen"),
        label=label("row_label"),
    )


def _what_happened(page: Page, corruption: Corruption, state: PlayState) -> str:
    words, n = page.words, len(corruption.choice.positions)
    if state.last is None:
        return words.section("play.start")
    move, at = state.last
    if move == "choose" or at is None:
        return words.section("play.choose", n=n, count=corruption.choice.count)
    new, token = corruption.replacements[at], corruption.tokens[at].text
    end = "" if state.next else " " + words.section("play.end")
    said = words.section(
        f"play.{move}_{new.branch}", token=token, at=at, new=new.text, die=thousandths(new.die)
    )
    return said + end
