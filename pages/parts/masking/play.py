"""Opening: BERT's corruption played by the learner, one token and one die at a time."""

import streamlit as st

from mlm_core.figures.masking.corruption import PlayNames, play_html, thousandths
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState, choose, corrupt, play_state, replace
from pages.parts.masking import decisions, dice, setting, token_draws
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, link_number, locks, whole_page

FIRST_STEP = 0  # nothing is chosen yet
RULE = CorruptionRule()
STEP, AT = "masking_step", "masking_at"


@part
def show(page: Page) -> None:
    """Show the sentence as far as it was played, and the buttons that play on."""
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
    at = link_number.read(words.label("play_at"), -1, key=AT)
    if not 0 <= at < len(rolls):
        at = state.last[1] if state.last and state.last[1] is not None else -1
    _show_buttons(page, state, at, has_changes=bool(changes))
    st.markdown(_what_happened(page, corruption, state, at))
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
        table=lambda: decisions.table_of(page, corruption),
        source=words.label("play_source", model=page.model_name, seed=now.seed),
        on_click=lambda value: _look_at(int(value)) if value.isdecimal() else None,
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


def _what_happened(page: Page, corruption: Corruption, state: PlayState, looked_at: int) -> str:
    words, n = page.words, len(corruption.choice.positions)
    if state.last is None:
        return words.section("play.start")
    move, at = state.last
    if move == "choose" or at is None:
        return words.section("play.choose", n=n, count=corruption.choice.count)
    following = _following(state)
    if following is not None and following == looked_at:
        return words.section("play.next", token=corruption.tokens[following].text, at=following)
    new, token = corruption.replacements[at], corruption.tokens[at].text
    said = words.section(
        f"play.{move}_{new.branch}", token=token, at=at, new=new.text, die=thousandths(new.die)
    )
    if following is not None:
        said += " " + words.section("play.go_on")
    return said if state.next else f"{said} {words.section('play.end')}"


def _following(state: PlayState) -> int | None:
    """Return the chosen token that is next, where the one before it is done."""
    is_done = state.last is not None and state.last[0] == "replace"
    return state.next[1] if is_done and state.next else None


# The buttons of the opening: choose, roll, replace, next token, play all, again.


def _show_buttons(page: Page, state: PlayState, at: int, *, has_changes: bool) -> None:
    """Show one button a move; the one that comes next stands out."""
    words, upcoming = page.words, state.next[0] if state.next else None
    following = _following(state)
    goes_on = following is not None and following != at
    natural = "next" if goes_on else upcoming
    steps = {
        "choose": (":material/touch_app:", state.n_done + 1, upcoming == "choose"),
        "roll": (":material/casino:", state.n_done + 1, upcoming == "roll"),
        "replace": (":material/swap_horiz:", state.n_done + 1, upcoming == "replace"),
        "next": (":material/skip_next:", following, goes_on),
        "all": (":material/fast_forward:", state.n_moves, upcoming is not None),
    }
    with st.container(horizontal=True):
        for name, (icon, target, is_possible) in steps.items():
            # The next token is looked at; its moves are still to be made.
            inputs.button(
                words.label(f"do_{name}"),
                changes=AT if name == "next" else STEP,
                icon=icon,
                on_click=_look_at if name == "next" else _go_to,
                args=(target,),
                disabled=not is_possible,
                type="primary" if is_possible and name == natural else "secondary",
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


def _go_to(step: int) -> None:
    """Play to a step, and look at the token at play."""
    link_number.put(STEP, step)
    if not locks.is_fixed(AT):
        link_number.put(AT, -1)


def _look_at(position: int) -> None:
    link_number.put(AT, position)


def _again() -> None:
    """Take the next seed, and begin before anything is chosen."""
    seed = st.session_state.get(setting.SEED) or 0
    st.session_state[setting.SEED] = (seed + 1) % (setting.LAST_SEED + 1)
    whole_page.want()  # the seed's own field stands outside this part
    dice.forget()
    _go_to(0)
