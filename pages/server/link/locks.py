"""Controls that a link fixes: `lock=` shows them with the link's value, `hide=` doesn't show them.

    masking_unit=word&lock=masking_unit,model&hide=masking_seed

A link fixes controls of the lesson that it leads to, for the whole visit: through changes of other
controls, of parts and of pages. A fixed control without a value in the link keeps the one it starts
with. A fixed seed fixes the dice that are thrown by it. A name that begins with the lesson's, but
is none of its controls, was one in a part that is gone: nothing is said of it. Fixing is for a
quiet lesson, not for an exam: a learner can open it again.

A link may also ask for the words alone (`figures=no`): then no control of any lesson is shown but
those that ask something.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import streamlit as st

from pages.server import session
from pages.server.link import link_values
from pages.server.link.controls import PART, controls_of

LOCK, HIDE = "lock", "hide"  # parameters of the link
QUESTIONS = ("exercises", "in_short")  # parts that ask, and are whole without figures
MOST_NAMES, LONGEST_NAMES = 200, 8_000  # of one parameter; a lesson has fewer controls


@dataclass(frozen=True, kw_only=True)
class Locks:
    """What a link fixed in one lesson."""

    locked: frozenset[str]
    hidden: frozenset[str]
    values: Mapping[str, tuple[str, ...]]  # as the link wrote them; none is the usual start
    told: set[str] = field(default_factory=set)  # whose value can't be had, said once

    @property
    def fixed(self) -> frozenset[str]:
        """Return the controls that the learner can't change."""
        return self.locked | self.hidden


@dataclass
class Fixed:
    """What links fixed in this visit."""

    by_lesson: dict[str, Locks] = field(default_factory=dict)
    shown: str = ""  # the lesson that is shown
    has_words_alone: bool = False  # no figures, and none of their controls


NONE = Locks(locked=frozenset(), hidden=frozenset(), values={})


def arrive(slug: str) -> None:
    """Read what the link fixes in the lesson it leads to, or bring back what an earlier one did."""
    fixed = session.of(Fixed)
    fixed.shown = slug
    if LOCK in st.query_params or HIDE in st.query_params:
        fixed.by_lesson[slug] = _of_link(slug)
    _write(here())


def here() -> Locks:
    """Return what is fixed in the lesson that is shown."""
    fixed = session.of(Fixed)
    return fixed.by_lesson.get(fixed.shown, NONE)


def open_all() -> None:
    """Let the learner change everything in this lesson; the values stay as they are."""
    fixed = session.of(Fixed)
    fixed.by_lesson.pop(fixed.shown, None)
    for name in (LOCK, HIDE):
        st.query_params.pop(name, None)


def is_fixed(key: str) -> bool:
    """Return whether the learner can't change a control."""
    return key in here().fixed


def is_hidden(key: str) -> bool:
    """Return whether a control isn't drawn at all."""
    return key in here().hidden or (has_words_alone() and _is_of_figures(key))


def show_words_alone(is_on: bool) -> None:
    """Show lessons without figures and their controls, or with them."""
    session.of(Fixed).has_words_alone = is_on


def has_words_alone() -> bool:
    """Return whether this visit sees the words alone."""
    return session.of(Fixed).has_words_alone


def _is_of_figures(key: str) -> bool:
    """Return whether a control of the lesson that is shown sets what its figures show."""
    shown = session.of(Fixed).shown
    row = controls_of(shown).get(key) if shown else None
    return row is not None and row.name != PART and not (row.asks or {*row.at} & {*QUESTIONS})


def value_of(key: str) -> tuple[str, ...]:
    """Return what the link said for a fixed control; empty if nothing."""
    return here().values.get(key, ())


def _of_link(slug: str) -> Locks:
    known, unknown = controls_of(slug), []
    chosen: dict[str, frozenset[str]] = {}
    for name in (LOCK, HIDE):
        asked = ",".join(st.query_params.get_all(name))[:LONGEST_NAMES].split(",")
        asked = [key.strip() for key in asked[:MOST_NAMES] if key.strip()]
        chosen[name] = frozenset(key for key in asked if key in known)
        strange = [key for key in asked if key not in known and not key.startswith(f"{slug}_")]
        unknown += [(name, key) for key in strange]
    if any(known[key].is_seed for key in chosen[LOCK] | chosen[HIDE]):
        chosen[LOCK] |= {key for key, control in known.items() if control.is_dice}
    if unknown:
        _say_unknown(unknown)
    fixed = chosen[LOCK] | chosen[HIDE]
    values = {key: tuple(st.query_params.get_all(key)) for key in fixed}
    return Locks(locked=chosen[LOCK] - chosen[HIDE], hidden=chosen[HIDE], values=values)


def _say_unknown(unknown: Collection[tuple[str, str]]) -> None:
    """Name what is no control of the lesson, in one sentence however much it is."""
    names = ", ".join(key for _, key in unknown)
    link_values.say_impossible(next(iter(unknown))[0], names)


def _write(locks: Locks) -> None:
    """Put the locks and their values into the link, so that a copy of it has them too."""
    for key, values in locks.values.items():
        link_values.put(key, values)
    for name, keys in ((LOCK, locks.locked), (HIDE, locks.hidden)):
        link_values.put(name, (",".join(sorted(keys)),) if keys else ())
