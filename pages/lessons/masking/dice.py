"""One token's dice: what they decided, and rolls set by hand, kept in the link: "9d0.85_3s0.02"."""

import random
import re
from collections.abc import Sequence
from typing import Any, Literal

from mlm_core.figures.masking.corruption import die_svg, thousandths
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, PlayState, TokenRolls
from pages.kit.part import Part

Kind = Literal["selection", "die", "word"]
KINDS: dict[str, Kind] = {"s": "selection", "d": "die", "w": "word"}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
_ONE = re.compile(r"(\d{1,3})([sdw])(0(?:\.\d{1,6})?)", re.ASCII)

Changes = dict[tuple[int, str], float]


def changed(p: Part) -> Changes:
    """Return the rolls set by hand: position and letter of the kind, to the number."""
    asked = p.drawn("dice", "") or ""
    found = [_ONE.fullmatch(part) for part in asked.split("_") if asked]
    if not all(found):
        p.warn("bad_dice", icon="link_off")
        found = []
    changes = {(int(one[1]), one[2]): float(one[3]) for one in found if one}
    written = "_".join(f"{at}{kind}{_written(value)}" for (at, kind), value in changes.items())
    p.write_to_link("dice", written)
    return changes


def apply(rolls: Sequence[TokenRolls], changes: Changes) -> tuple[TokenRolls, ...]:
    """Return the rolls with the learner's own among them."""
    return tuple(
        rolled._replace(
            **{KINDS[kind]: value for (at, kind), value in changes.items() if at == position},
        )
        for position, rolled in enumerate(rolls)
    )


def forget(p: Part) -> None:
    """Go back to the seed's own rolls."""
    p.choose("dice", "")


def _set_roll(p: Part, position: int, kind: Kind, value: float) -> None:
    """Set one roll by hand."""
    changes = p.drawn_value("dice") or ""
    kept = [part for part in changes.split("_") if not part.startswith(_name(position, kind))]
    new = _name(position, kind) + _written(min(max(value, 0.0), 0.999999))
    p.choose("dice", "_".join([*filter(None, kept), new]))


def _roll_again(p: Part, position: int, kind: Kind) -> None:
    """Roll one of a token's dice again; the result goes into the link, so it can be shown."""
    _set_roll(p, position, kind, random.random())


def _name(position: int, kind: Kind) -> str:
    return f"{position}{LETTERS[kind]}"


def _written(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


# One token's dice under the drawing: what was decided, and the means to change it.


def show_token(
    p: Part, corruption: Corruption, state: PlayState, at: int, rule: CorruptionRule
) -> None:
    """Say what was decided about the token at `at`; let the learner roll again or set it."""
    if not state.is_chosen:
        return
    if at < 0:
        p.caption("token.none")
        return
    token, candidate = corruption.tokens[at], corruption.choice.candidates[at]
    if candidate.excluded:
        p.say(f"token.{candidate.excluded}", token=token.text, at=at)
        return
    assert candidate.draw is not None and candidate.rank is not None  # none is excluded here
    units = {each.unit for each in corruption.choice.candidates if each.unit is not None}
    p.say(
        "token.chosen" if candidate.is_chosen else "token.not_chosen",
        token=token.text,
        at=at,
        draw=thousandths(candidate.draw),
        rank=candidate.rank + 1,
        of=len(units),
        count=corruption.choice.count,
    )
    left, right = p.columns()
    with left:
        _show_die(p, at, "selection", candidate.draw)
    new = corruption.replacements[at]
    if new is None or at not in state.rolled:
        return
    with right:
        p.drawing("wide_die", die_svg(rule, new.die, wide=True))
        _show_die(p, at, "die", new.die)
        if new.branch == "random":
            p.button("other_word", _roll_again, p, at, "word", icon="casino", changes=("dice",))


def _show_die(p: Part, at: int, kind: Kind, value: float) -> None:
    """Show one die: a slider to set it and a button to roll it again."""
    if p.is_hidden("dice"):
        return
    name = f"hand_{kind}_{at}"
    p.state[name] = int(value * 1000) / 1000

    def by_hand() -> None:
        _set_roll(p, at, kind, p.state[name])

    is_fixed, label = p.is_fixed("dice"), f"set_{kind}"
    look: dict[str, Any] = {"step": 0.001, "format": "%.3f", "disabled": is_fixed}
    p.slid(name, 0.0, 0.999, label=label, on_change=by_hand, **look)
    p.button(f"again_{kind}", _roll_again, p, at, kind, icon="casino", changes=("dice",))
