"""The plan of this visit: kept in the session, with the plans before each change.

What stands in a field may come in together with a click on a button, in either order. So every
change of the plan takes the fields first, and a field that comes too late is left alone.
"""

from collections.abc import Callable

import streamlit as st

from pages.beside.teaching.lesson_plan import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    Plan,
    from_lines,
)
from pages.server.frame.page_frame import Page

EXAMPLES = ("45", "90")  # minutes; each a section of the words
TITLE = "title"  # the one field that is no step's
# Session state. The version is in the keys of the fields, which show what the plan says.
PLAN, BEFORE, VERSION = "teaching_plan", "teaching_plan_before", "teaching_plan_version"
MOST_KEPT = 50  # steps back


def current(page: Page) -> Plan:
    """Return the plan as it is; until something is changed, the first example."""
    kept = changed()
    return example(page, EXAMPLES[0]) if kept is None else kept


def changed() -> Plan | None:
    """Return the plan as this visit has made it; None until something is changed."""
    return st.session_state.get(PLAN)


def example(page: Page, name: str) -> Plan:
    """Return a plan that the words bring."""
    lines = page.words.section(f"example.{name}").splitlines()
    return from_lines(lines, page.words.plain(f"example_{name}_title"))


def field_key(name: str, position: int | None = None) -> str:
    """Return the key of a field: of a step, or of the title."""
    return f"teaching_{version()}_{position}_{name}"


def version() -> int:
    """Return a number that is another one after each change that fields have to follow."""
    return st.session_state.get(VERSION, 0)


def take_fields(page: Page, of_version: int) -> None:
    """Take what was typed into the plan, unless the fields were those of an earlier one."""
    if of_version != version():
        return
    plan = current(page)
    title = st.session_state.get(field_key(TITLE), plan.title)
    plan = Plan(title=(title or "")[:LONGEST_TITLE], steps=plan.steps)
    for position, step in enumerate(plan.steps):
        minutes = st.session_state.get(field_key("minutes", position))
        note = st.session_state.get(field_key("note", position), step.note)
        minutes = step.minutes if minutes is None else minutes
        plan = plan.changed(position, minutes=minutes, note=(note or "")[:LONGEST_NOTE])
    _keep(page, plan)


def change(page: Page, make: Callable[[Plan], Plan]) -> None:
    """Make another plan of the present one; its fields begin anew."""
    take_fields(page, version())
    if _keep(page, make(current(page))):
        st.session_state[VERSION] = version() + 1


def can_undo() -> bool:
    """Return whether there is a plan of before."""
    return bool(st.session_state.get(BEFORE))


def undo(page: Page) -> None:
    """Bring back the plan of before the last change."""
    take_fields(page, version())
    if can_undo():
        st.session_state[PLAN] = st.session_state[BEFORE].pop()
        st.session_state[VERSION] = version() + 1


def _keep(page: Page, plan: Plan) -> bool:
    """Keep a plan and the one before it; return whether it is another one."""
    before = current(page)
    if plan == before:
        return False
    st.session_state[BEFORE] = [*st.session_state.get(BEFORE, []), before][-MOST_KEPT:]
    st.session_state[PLAN] = plan
    return True
