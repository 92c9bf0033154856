"""Rolls that the learner changed by hand, kept in the link: "9d0.85_3s0.02"."""

import random
import re
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from mlm_core.masking.steps import TokenRolls
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

KEY = "masking_dice"
Kind = Literal["selection", "die", "word"]
KINDS: dict[str, Kind] = {"s": "selection", "d": "die", "w": "word"}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
_ONE = re.compile(r"(\d{1,3})([sdw])(0(?:\.\d{1,6})?)", re.ASCII)

Changes = dict[tuple[int, str], float]


def changed(page: Page) -> Changes:
    """Return the rolls set by hand: position and letter of the kind, to the number."""
    asked = inputs.drawn(page.words.label("dice"), "", key=KEY) or ""
    found = [_ONE.fullmatch(part) for part in asked.split("_") if asked]
    if not all(found):
        st.warning(page.words.section("bad_dice"), icon=":material/link_off:")
        found = []
    changes = {(int(one[1]), one[2]): float(one[3]) for one in found if one}
    written = "_".join(f"{at}{kind}{_written(value)}" for (at, kind), value in changes.items())
    inputs.keep(KEY, written, "")
    return changes


def apply(rolls: Sequence[TokenRolls], changes: Changes) -> tuple[TokenRolls, ...]:
    """Return the rolls with the learner's own among them."""
    return tuple(
        rolled._replace(
            **{KINDS[kind]: value for (at, kind), value in changes.items() if at == position},
        )
        for position, rolled in enumerate(rolls)
    )


def set_roll(position: int, kind: Kind, value: float) -> None:
    """Set one roll by hand."""
    changes = inputs.drawn_value(KEY, "") or ""
    kept = [part for part in changes.split("_") if not part.startswith(_name(position, kind))]
    new = _name(position, kind) + _written(min(max(value, 0.0), 0.999999))
    inputs.choose(KEY, "_".join([*filter(None, kept), new]))


def roll_again(position: int, *kinds: Kind) -> None:
    """Roll some of a token's dice anew; the result goes into the link, so it can be shown."""
    for kind in kinds:
        set_roll(position, kind, random.random())


def forget() -> None:
    """Go back to the seed's own rolls."""
    inputs.choose(KEY, "")


def _name(position: int, kind: Kind) -> str:
    return f"{position}{LETTERS[kind]}"


def _written(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")
