"""Opening: BERT's corruption played by the learner, one token and one die at a time."""

from functools import partial

import streamlit as st

from mlm_core.figures.masking.corruption import play_html, thousandths
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState, corrupt, play_state
from pages.parts.masking import decisions, dice, setting
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs, link_number, locks, whole_page

FIRST_STEP = 0  # nothing is chosen yet
RULE = CorruptionRule()
STEP, AT = "masking_step", "masking_at"


@part(code=("masking.steps:choose", "masking.steps:replace"))
def show(p: Part) -> None:
    """Show the sentence as far as it was played, and the buttons that play on."""
    now = setting.current(p)
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    changes = dice.changed(p)
    rolls = dice.apply(now.rolls(), changes)
    corruption = corrupt(now.text.tokens, rolls, RULE, now.random_words(), now.mask)
    state = play_state(corruption, link_number.read(p.label("step"), FIRST_STEP, key=STEP))
    link_number.keep(STEP, state.n_done, FIRST_STEP)
    at = link_number.read(p.label("at"), -1, key=AT)
    if not 0 <= at < len(rolls):
        at = state.last[1] if state.last and state.last[1] is not None else -1
    _show_buttons(p, state, at, has_changes=bool(changes))
    st.markdown(_what_happened(p, corruption, state, at))
    p.figure(
        "play",
        partial(play_html, corruption, state, RULE, names=decisions.row_names(p), at=at),
        lambda: decisions.table_of(p, corruption),
        on_click=lambda value: _look_at(int(value)) if value.isdecimal() else None,
        n=len(rolls),
        chosen=len(corruption.choice.positions),
        seed=now.seed,
    )
    if state.is_chosen:
        decisions.say_what_counts(p, corruption)
    dice.show_token(p, corruption, state, at, RULE)


def _what_happened(p: Part, corruption: Corruption, state: PlayState, looked_at: int) -> str:
    """Return in words what the last move did, and what comes next."""
    if state.last is None:
        return p.section("start")
    move, at = state.last
    if move == "choose" or at is None:
        return p.section("choose", count=corruption.choice.count)
    following = _following(state)
    if following is not None and following == looked_at:
        return p.section("next", token=corruption.tokens[following].text, at=following)
    new, token = corruption.replacements[at], corruption.tokens[at].text
    assert new is not None  # it was chosen
    place = {"token": token, "at": at, "new": new.text, "die": thousandths(new.die)}
    said = p.section(f"{move}_{new.branch}", **place)
    if following is not None:
        said += " " + p.section("go_on")
    return said if state.next else f"{said} {p.section('end')}"


def _following(state: PlayState) -> int | None:
    """Return the chosen token that is next, where the one before it is done."""
    is_done = state.last is not None and state.last[0] == "replace"
    return state.next[1] if is_done and state.next else None


# The buttons of the opening: choose, roll, replace, next token, play all, again.


def _show_buttons(p: Part, state: PlayState, at: int, *, has_changes: bool) -> None:
    """Show one button a move; the one that comes next stands out."""
    upcoming, following = state.next[0] if state.next else None, _following(state)
    goes_on = following is not None and following != at
    natural = "next" if goes_on else upcoming
    steps = {
        "choose": ("touch_app", state.n_done + 1, upcoming == "choose"),
        "roll": ("casino", state.n_done + 1, upcoming == "roll"),
        "replace": ("swap_horiz", state.n_done + 1, upcoming == "replace"),
        "next": ("skip_next", following, goes_on),
        "all": ("fast_forward", state.n_moves, upcoming is not None),
    }
    with st.container(horizontal=True):
        for name, (icon, target, is_possible) in steps.items():
            # The next token is looked at; its moves are still to be made.
            p.button(
                f"do_{name}",
                _look_at if name == "next" else _go_to,
                target,
                icon=icon,
                changes=("at",) if name == "next" else ("step",),
                disabled=not is_possible,
                type="primary" if is_possible and name == natural else "secondary",
            )
        p.button("do_again", _again, icon="replay", changes=("step", "seed", "dice"))
        if has_changes:
            p.button("do_forget", dice.forget, icon="undo", changes=("dice",))


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
