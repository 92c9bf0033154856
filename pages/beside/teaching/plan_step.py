"""One step of the plan: when it begins, what it shows, its minutes, its note, its buttons."""

from functools import partial
from typing import Any

from pages.beside.teaching import plan_own, plan_state
from pages.beside.teaching.lesson_plan import LONGEST_NOTE, MOST_MINUTES, MOST_STEPS, Plan
from pages.beside.teaching.places import place_of
from pages.kit.part import Part
from pages.server.course.lessons import BY_SLUG
from pages.server.room import plan_run, teacher_bar
from pages.server.room.plan_run import Stop

DESK = "teaching?teaching_part=room&teaching_room_what=votes"
PASTED = "pasted"  # state: the link that another one is made of
MOVES = {"earlier": (-1, "arrow_upward"), "later": (1, "arrow_downward")}


def show_step(p: Part, plan: Plan, position: int) -> None:
    """Show a step in a frame of its own."""
    step, begins = plan.steps[position], plan.begins(position)
    with p.place(border=True, css=p.key(f"step_{position}")):
        with p.row("center"):
            when = p.label("when", start=begins, end=begins + step.minutes)
            p.write(f"**{position + 1}** · {when}", width="content")
            _link(p, step.link) if step.link else plan_own.show_title(p, step.own)
        if step.own:
            plan_own.show_trial(p, position, step.own)
        _fields(p, plan, position)
        with p.row("center"):
            if p.button(f"run_{position}", label="start_here", icon="play_arrow", type="tertiary"):
                run(p, plan, position)
            _buttons(p, plan, position)
    if p.state.get(plan_state.MOVED_TO) == position:
        del p.state[plan_state.MOVED_TO]
        p.scroll_to(p.key(f"step_{position}"))


def run(p: Part, plan: Plan, at: int) -> None:
    """Begin to lead the class through the plan, from a step on."""
    stops = []
    for step in plan.steps:
        # Of the teacher's own the desk is what the teacher sees.
        place = place_of(step.link if step.link else DESK if step.own else "")
        stops.append(
            Stop(
                title=place.title if step.link and place else plan_own.name_of(p.words, step.own),
                minutes=step.minutes,
                note=step.note,
                file=place.page.file if place else "",
                slug=place.slug if place else "",
                parameters=place.parameters if place else {},
                own="" if step.link else step.own,
            )
        )
    plan_run.start(stops, at)
    teacher_bar.go_to(stops[at], p.slug)
    p.draw_page_now()  # a step without a view leads nowhere: the bar says it


def _buttons(p: Part, plan: Plan, position: int) -> None:
    n_steps = len(plan.steps)
    for name, (by, icon) in MOVES.items():
        p.button(
            f"{name}_{position}",
            _move,
            p,
            position,
            position + by,
            label=f"step_{name}",
            disabled=not 0 <= position + by < n_steps,
            icon=icon,
            type="tertiary",
        )
    p.picked(
        plan_state.field(p, "position", position),
        {str(at): p.label("step_at", n=at + 1, of=n_steps) for at in range(n_steps)},
        "step_position",
        index=position,
        on_change=_move_to_chosen,
        args=(p, position, plan_state.version(p)),
        label_visibility="collapsed",
        width=190,
    )
    link, looks = plan.steps[position].link, {"type": "tertiary"}
    place = place_of(link)
    if not link:
        plan_own.show_way(p, position, plan.steps[position].own)
    elif place is not None and place.page.slug in BY_SLUG:
        change = partial(_change_view, p, position, link)
        p.button(f"change_{position}", change, label="step_change", icon="edit", **looks)
    p.button(
        f"remove_{position}", _remove, p, position, label="step_remove", icon="delete", **looks
    )


def _move(p: Part, position: int, to: int) -> None:
    """Move a step, and let the page scroll to where it is now."""
    plan_state.change(p, lambda plan: plan.moved(position, to))
    p.state[plan_state.MOVED_TO] = to


def _move_to_chosen(p: Part, position: int, of_version: int) -> None:
    if of_version != plan_state.version(p):
        return  # the step at this position is another one
    to = p.state[plan_state.field(p, "position", position)]
    if to in map(str, range(MOST_STEPS)):
        _move(p, position, int(to))


def _change_view(p: Part, position: int, link: str) -> None:
    """Open the part that makes links with a step's link, to put the changed one back."""
    p.state[plan_state.AIM] = position, plan_state.version(p)
    p.state[PASTED] = link
    p.choose("from", "link")
    p.choose("part", "link", on_whole_page=True)


def put_view(p: Part, position: int, link: str) -> None:
    """Give a step another view, and lead back to it."""
    plan_state.change(p, lambda plan: plan.changed(position, link=link))
    p.state.pop(plan_state.AIM, None)
    p.state[plan_state.MOVED_TO] = position
    p.choose("part", "plan", on_whole_page=True)


def _remove(p: Part, position: int) -> None:
    plan_state.change(p, lambda plan: plan.without(position))


def _link(p: Part, link: str) -> None:
    """Show where the step leads; what is no page of this app is shown as a text."""
    place = place_of(link)
    if place is None:
        p.say("nowhere", link=link[:80])
        return
    p.link_to(place.page.slug, "", place.title, view=place.parameters)


def _fields(p: Part, plan: Plan, position: int) -> None:
    """Show the minutes and the note; what is typed goes into the plan."""
    step = plan.steps[position]
    taken: dict[str, Any] = {
        "on_change": plan_state.take_fields,
        "args": (p, plan_state.version(p)),
    }
    left, right = p.columns(1, 4, gap="small")
    with left:
        name = plan_state.field(p, "minutes", position)
        p.counted(name, 0, MOST_MINUTES, step.minutes, "minutes", **taken)
    with right:
        p.pasted(
            plan_state.field(p, "note", position),
            "note",
            longest=LONGEST_NOTE,
            height="content",
            stays=False,
            value=step.note,
            **taken,
        )
