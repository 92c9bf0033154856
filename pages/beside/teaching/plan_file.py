"""The plan as a file to keep, as a handout to print, and back from a file."""

from pages.beside.teaching import plan_state
from pages.beside.teaching.address import address
from pages.beside.teaching.handout import as_html
from pages.beside.teaching.lesson_plan import Plan, UnreadablePlanError, as_json, read_plan
from pages.kit.part import Part

FILE, REFUSED = "plan_file", "plan_refused"
LARGEST_UPLOAD = 1  # MB; what is larger is refused by the browser already


def show_file(p: Part, plan: Plan) -> None:
    """Show what saves the plan, and what loads one; loading can be undone like any change."""
    p.write(f"#### {p.label('keep')}")
    with p.row("top"):
        handout = as_html(plan, p.words, address(p))
        p.download("save_html", handout, "lesson-plan.html", "text/html", icon="print")
        p.download("save_json", as_json(plan), "lesson-plan.json", "application/json", icon="save")
    more = {"max_upload_size": LARGEST_UPLOAD, "on_change": _load, "args": (p,)}
    p.upload(FILE, ["json"], "load", **more)
    refused = p.state.get(REFUSED)
    if refused is not None:
        values = {name: p.translated(str(one)) for name, one in refused.values.items()}
        said = p.section(f"bad_{refused.reason}", **values)
        p.write(f"{said} {p.section('unchanged')}", box="error", icon="error")


def _load(p: Part) -> None:
    """Take the plan of the file that was just given, or keep the reason why not."""
    p.state.pop(REFUSED, None)
    file = p.state.get(FILE)
    if file is None:
        return
    try:
        plan = read_plan(file.getvalue())
    except UnreadablePlanError as error:
        p.state[REFUSED] = error
    else:
        plan_state.change(p, lambda before: plan)
