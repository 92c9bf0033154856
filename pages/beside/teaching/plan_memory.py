"""The plan in the browser's own storage, so that a reload or a restart brings it back.

Only this browser has it (localStorage), and only the server that shows the page reads it. A plan
from there is read like one from a file: with trust in nothing.
"""

from functools import partial

from pages.beside.teaching import plan_state
from pages.beside.teaching.lesson_plan import UnreadablePlanError, as_json, read_plan
from pages.kit.element import element
from pages.kit.part import Part

ASKED = "plan_asked"  # state

_browser = element(__file__)


def keep(p: Part) -> None:
    """Let the browser keep the plan, and give back the one it has before anything is changed."""
    plan = plan_state.changed(p)
    kept = {"plan": "" if plan is None else as_json(plan), "is_told": ASKED in p.state}
    with p.place(css=p.key("plan_kept")):
        _browser(p.key("plan_memory"), kept, found=partial(_take_up, p))


def _take_up(p: Part, found: object) -> None:
    p.state[ASKED] = True
    if plan_state.changed(p) is not None or not isinstance(found, str):
        return
    try:
        plan = read_plan(found.encode(errors="replace"))
    except UnreadablePlanError:
        return  # of another version of the app, or of anybody
    plan_state.change(p, lambda before: plan)
