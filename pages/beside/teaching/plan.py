"""A lesson plan: steps with minutes and notes, to be changed, saved, loaded and printed."""

from pages.beside.teaching import plan_gift, plan_link, plan_memory, plan_own, plan_state, plan_step
from pages.beside.teaching.address import address
from pages.beside.teaching.handout import as_html
from pages.beside.teaching.lesson_plan import (
    LONGEST_TITLE,
    MOST_STEPS,
    Plan,
    Step,
    UnreadablePlanError,
    as_json,
    read_plan,
)
from pages.kit.part import Part, part

FILE, REFUSED = "plan_file", "plan_refused"
LARGEST_UPLOAD = 1  # MB; what is larger is refused by the browser already


@part()
def show(p: Part) -> None:
    """Show the plan step by step, with what can be done to it."""
    plan_memory.keep(p)
    if plan_own.is_open(p):
        plan_own.show_editor(p)
        return
    plan_link.offer(p)
    p.say("lead")
    _examples(p)
    plan = plan_state.current(p)
    p.typed(
        plan_state.field(p, plan_state.TITLE),
        "plan_title",
        longest=LONGEST_TITLE,
        stays=False,
        value=plan.title,
        on_change=plan_state.take_fields,
        args=(p, plan_state.version(p)),
    )
    with p.row("center"):
        p.write(p.section("total", minutes=plan.minutes, n=len(plan.steps)), width="content")
        if plan.steps and p.button("start_class", icon="play_arrow", type="primary"):
            plan_step.run(p, plan, 0)
    for position in range(len(plan.steps)):
        plan_step.show_step(p, plan, position)
    if not plan.steps:
        p.note("empty", icon="playlist_add")
    with p.row("top"):
        is_full = len(plan.steps) >= MOST_STEPS
        new = (plan_own.open_editor, p, plan_own.NEW)
        p.button("add_own", *new, icon="edit_note", disabled=is_full)
        p.button("add_talk", _add_talk, p, icon="add", disabled=is_full)
        p.button("undo", plan_state.undo, p, icon="undo", disabled=not plan_state.can_undo(p))
    p.caption("add")
    show_file(p, plan)


def _add_talk(p: Part) -> None:
    plan_state.change(p, lambda plan: plan.with_step(Step()))


def _examples(p: Part) -> None:
    """Show the plans that are ready, and an empty one; each can be undone."""
    plans = {name: plan_state.example(p, name) for name in plan_state.EXAMPLES}
    with p.row("top"):
        for name, plan in (plans | {"empty": Plan()}).items():
            icon = "note_add" if name == "empty" else "schedule"
            p.button(f"start_{name}", plan_state.change, p, lambda _, new=plan: new, icon=icon)


def show_file(p: Part, plan: Plan) -> None:
    """Show what saves the plan, and what loads one or questions; that can be undone, too."""
    p.write(f"#### {p.label('keep')}")
    with p.row("top"):
        handout = as_html(plan, p.words, address(p))
        p.download("save_html", handout, "lesson-plan.html", "text/html", icon="print")
        p.download("save_json", as_json(plan), "lesson-plan.json", "application/json", icon="save")
        plan_link.show(p, plan)
    more = {"max_upload_size": LARGEST_UPLOAD, "on_change": _load, "args": (p,)}
    p.upload(FILE, ["json", "txt", "gift"], "load", **more)
    plan_gift.show_read(p)
    refused = p.state.get(REFUSED)
    if refused is not None:
        plan_link.say_refused(p, refused)


def _load(p: Part) -> None:
    """Take the plan or the questions of the file just given, or keep the reason why not."""
    p.state.pop(REFUSED, None)
    p.state.pop(plan_gift.READ, None)
    file = p.state.get(FILE)
    if file is None:
        return
    if not file.name.lower().endswith(".json"):
        plan_gift.add(p, file.getvalue())
        return
    try:
        plan = read_plan(file.getvalue())
    except UnreadablePlanError as error:
        p.state[REFUSED] = error
    else:
        plan_state.change(p, lambda before: plan)
