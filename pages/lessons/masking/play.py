"""Opening: BERT's corruption played by the learner, one token and one die at a time."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

from mlm_core.figures.masking.corruption import play_html, thousandths
from mlm_core.masking.rule import Branch, CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState, choose, corrupt, play_state
from pages.kit.part import Part, part
from pages.lessons.masking import decisions, dice, setting
from pages.lessons.masking.setting import Setting

FIRST_STEP = 0  # nothing is chosen yet
BRANCHES: tuple[Branch, ...] = get_args(Branch)
ICONS = {
    "choose": "touch_app",
    "roll": "casino",
    "replace": "swap_horiz",
    "next": "skip_next",
    "all": "fast_forward",
    "again": "replay",
    "ten": "forward_10",
    "forget": "undo",
}
AGAIN = ("step", "seed", "dice", "draws")
RULE = CorruptionRule()
MOST_DRAWS = 999  # before this one, that are counted


@part(code=("masking.steps:choose", "masking.steps:replace"))
def show(p: Part) -> None:
    """Show the sentence as far as it was played, and the buttons that play on."""
    now = setting.current(p)
    p.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    changes = dice.changed(p)
    rolls = dice.apply(now.rolls(), changes)
    corruption = corrupt(now.text.tokens, rolls, RULE, now.random_words(), now.mask)
    state = play_state(corruption, p.counter("step", FIRST_STEP))
    p.write_to_link("step", str(state.n_done), str(FIRST_STEP))
    at = p.counter("at", -1)
    if not 0 <= at < len(rolls):
        at = state.last[1] if state.last and state.last[1] is not None else -1
    n_before = min(p.counter("draws"), MOST_DRAWS)
    counts = _count_actions(now, corruption, state, n_before)
    can_draw = _vote(p, now, corruption, state, at)
    about = (state, at, n_before, counts)
    _show_buttons(p, *about, can_draw=can_draw, has_changes=bool(changes))
    with p.place(css="masking_said"):  # of a fixed height, so that the drawing stays in its place
        p.write(_what_happened(p, corruption, state, at))
    p.figure(
        "play",
        partial(play_html, corruption, state, RULE, names=decisions.row_names(p), at=at),
        lambda: decisions.table_of(p, corruption),
        on_click=lambda value: value.isdecimal() and p.choose("at", value),
        n=len(rolls),
        chosen=len(corruption.choice.positions),
        seed=now.seed,
    )
    if state.is_chosen:
        decisions.say_what_counts(p, corruption)
    dice.show_token(p, corruption, state, at, RULE)


def _vote(p: Part, now: Setting, corruption: Corruption, state: PlayState, looked_at: int) -> bool:
    """Ask a class what the next draw gives; return whether it may be made."""
    move, at = state.next or (None, None)
    if move != "roll" or at is None or _following(state) not in (None, looked_at):
        return True
    new, token = corruption.replacements[at], corruption.tokens[at].text
    assert new is not None  # it was chosen
    about = (p.model_name, now.text.text, at, new.die)
    can_draw = p.vote("draw", BRANCHES, about=about, token=token, at=at)
    if can_draw:
        p.tell_right("draw", new.branch)
    return can_draw


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


def _count_actions(
    now: Setting, corruption: Corruption, state: PlayState, n_before: int
) -> Counter[Branch]:
    """Count each action over all earlier draws and the part of this one played so far."""
    counts: Counter[Branch] = Counter()
    for at in state.rolled:
        new = corruption.replacements[at]
        assert new is not None  # it was chosen
        counts[new.branch] += 1
    for back in range(1, n_before + 1):
        rolls = now.rolls(-back)
        positions = choose(now.text.tokens, rolls, RULE).positions
        counts.update(RULE.branch(rolls[at].die) for at in positions)
    return counts


# Above the drawing: the next step, all steps, again, ten draws more; the actions so far.


def _show_buttons(
    p: Part,
    state: PlayState,
    at: int,
    n_before: int,
    counts: Counter[Branch],
    *,
    can_draw: bool,
    has_changes: bool,
) -> None:
    """Show the next move, the ways to make all or to draw again, and what was drawn so far."""
    upcoming, following = state.next[0] if state.next else None, _following(state)
    with p.row("center"):
        if not can_draw:
            upcoming = None
        elif following is not None and following != at:
            # The next token is looked at; its moves are still to be made.
            _show_button(p, "next", p.choose, "at", str(following), changes=("at",), type="primary")
        elif upcoming is not None:
            target = state.n_done + 1
            _show_button(p, upcoming, _go_to, p, target, changes=("step",), type="primary")
        if upcoming is not None:
            _show_button(p, "all", _go_to, p, state.n_moves, changes=("step",))
        for name, n in (("again", 1), ("ten", 10)):
            is_next = state.next is None and n == 1
            kind = "primary" if is_next else "secondary"
            _show_button(p, name, _draw_again, p, n, n_before, changes=AGAIN, type=kind)
        if has_changes:
            _show_button(p, "forget", dice.forget, p, changes=("dice",))
        if counts:
            drawn = {name: counts[name] for name in BRANCHES}
            p.write(p.section("so_far", n=n_before + 1, **drawn), width="content")


def _show_button(p: Part, name: str, press: Callable, *args: object, **more: Any) -> None:
    p.button(f"do_{name}", press, *args, icon=ICONS[name], **more)


def _go_to(p: Part, step: int) -> None:
    """Play to a step, and look at the token at play."""
    p.choose("step", str(step))
    if not p.is_fixed("at"):
        p.choose("at", "-1")


def _draw_again(p: Part, n: int, n_before: int) -> None:
    """Take the next seed, or the n-th, and begin before anything is chosen."""
    p.state["seed"] = ((p.state.get("seed") or 0) + n) % (setting.LAST_SEED + 1)
    p.choose("draws", str(n_before + n))
    p.draw_whole_page()  # the seed's own field is outside this part
    dice.forget(p)
    _go_to(p, 0)
