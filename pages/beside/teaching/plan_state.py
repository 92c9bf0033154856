"""The plan of this visit: kept in the session, with the plans before each change.

What stands in a field may come in together with a click on a button, in either order. So every
change of the plan takes the fields first, and a field that comes too late is left alone.
"""

from collections.abc import Callable

from pages.beside.teaching.lesson_plan import LONGEST_NOTE, LONGEST_TITLE, Plan, from_lines
from pages.kit.part import Part

EXAMPLES = ("45", "90_1", "90_2")  # minutes and session; each a section of the words
TITLE = "title"  # the one field that is no step's
# State. The version is in the names of the fields, which show what the plan says.
PLAN, BEFORE, VERSION = "plan", "plan_before", "plan_version"
MOST_KEPT = 50  # steps back
MOVED_TO = "moved_to"  # state: the position of the step that was moved or changed last
AIM = "plan_aim"  # state: the position of the step whose view is changed, and the plan's version


def current(p: Part) -> Plan:
    """Return the plan as it is; until something is changed, the first example."""
    kept = changed(p)
    return example(p, EXAMPLES[0]) if kept is None else kept


def changed(p: Part) -> Plan | None:
    """Return the plan as this visit has made it; None until something is changed."""
    return p.state.get(PLAN)


def example(p: Part, name: str) -> Plan:
    """Return a plan that the words bring; steps without a note are as in the first one."""
    first, lines = (p.section(f"example.{one}").splitlines() for one in (EXAMPLES[0], name))
    return from_lines(lines, p.plain("example_title"), first)


def field(p: Part, name: str, position: int | None = None) -> str:
    """Return the name of a field: of a step, or of the title."""
    return f"{version(p)}_{position}_{name}"


def version(p: Part) -> int:
    """Return a number that is another one after each change that fields have to follow."""
    return p.state.get(VERSION, 0)


def take_fields(p: Part, of_version: int) -> None:
    """Take what was typed into the plan, unless the fields were those of an earlier one."""
    if of_version != version(p):
        return
    plan = current(p)
    title = p.state.get(field(p, TITLE), plan.title)
    plan = Plan(title=(title or "")[:LONGEST_TITLE], steps=plan.steps)
    for position, step in enumerate(plan.steps):
        minutes = p.state.get(field(p, "minutes", position))
        note = p.state.get(field(p, "note", position), step.note)
        minutes = step.minutes if minutes is None else minutes
        plan = plan.changed(position, minutes=minutes, note=(note or "")[:LONGEST_NOTE])
    _keep(p, plan)


def change(p: Part, make: Callable[[Plan], Plan]) -> None:
    """Make another plan of the present one; its fields begin anew."""
    take_fields(p, version(p))
    if _keep(p, make(current(p))):
        p.state[VERSION] = version(p) + 1


def aim(p: Part) -> int | None:
    """Return the position of the step whose view is changed; None once the plan is another one."""
    position, of_version = p.state.get(AIM, (None, None))
    return position if of_version == version(p) else None


def can_undo(p: Part) -> bool:
    """Return whether there is a plan of before."""
    return bool(p.state.get(BEFORE))


def undo(p: Part) -> None:
    """Bring back the plan of before the last change."""
    take_fields(p, version(p))
    if can_undo(p):
        p.state[PLAN] = p.state[BEFORE].pop()
        p.state[VERSION] = version(p) + 1


def _keep(p: Part, plan: Plan) -> bool:
    """Keep a plan and the one before it; return whether it is another one."""
    before = current(p)
    if plan == before:
        return False
    p.state[BEFORE] = [*p.state.get(BEFORE, []), before][-MOST_KEPT:]
    p.state[PLAN] = plan
    return True
