"""A plan in a link: its file, packed. Who opens the link may take the plan over, or leave it."""

from urllib.parse import urlencode

from mlm_core.number_format import formatted
from pages.beside.teaching import plan_state
from pages.beside.teaching.address import address
from pages.beside.teaching.lesson_plan import (
    LARGEST_FILE,
    Plan,
    UnreadablePlanError,
    as_json,
    read_plan,
)
from pages.beside.teaching.view import LONGEST_LINK
from pages.kit.part import Part
from pages.server.course import packed as packing

GIVEN = "given"  # the parameter, teaching_given


def packed(plan: Plan) -> str:
    """Return a plan for a link."""
    return packing.packed(as_json(plan).encode())


def unpacked(text: str) -> Plan:
    """Return the plan of a link. Raises UnreadablePlanError."""
    try:
        data = packing.unpacked(text, LARGEST_FILE)
    except ValueError:
        raise UnreadablePlanError("link") from None
    return read_plan(data)


def show(p: Part, plan: Plan) -> None:
    """Show the button that opens the plan's link, or why it has none."""
    window = p.popover("plan_link", "link", key="plan_link")
    if not window.open:
        return
    asked = {p.key("part"): p.name, p.key(GIVEN): packed(plan)}
    link = f"{address(p)}{p.slug}?{urlencode(asked)}"
    with window:
        if len(link) > LONGEST_LINK:
            most = formatted(LONGEST_LINK, ",")
            p.warn("link_too_long", icon="content_cut", n=formatted(len(link), ","), most=most)
        else:
            p.program(link, None, wrap_lines=True)
            p.caption("link_opens")


def offer(p: Part) -> None:
    """Offer the plan of the link that led here; nothing changes before it is taken."""
    text = p.in_link(GIVEN)
    if not text:
        return
    try:
        plan = unpacked(text)
    except UnreadablePlanError as error:
        say_refused(p, error)
        p.button("given_leave", _leave, p, icon="close", type="tertiary")
        return
    about = {"title": plan.title, "n": len(plan.steps), "minutes": plan.minutes}
    p.note("given", icon="playlist_add_check", **about)
    with p.row("center"):
        p.button("given_take", _take, p, plan, icon="check", type="primary")
        p.button("given_leave", _leave, p, icon="close", type="tertiary")


def say_refused(p: Part, refused: UnreadablePlanError) -> None:
    """Say why a file or a link is no plan."""
    values = {name: p.translated(str(one)) for name, one in refused.values.items()}
    said = p.section(f"bad_{refused.reason}", **values)
    p.write(f"{said} {p.section('unchanged')}", box="error", icon="error")


def _take(p: Part, plan: Plan) -> None:
    plan_state.change(p, lambda _: plan)
    _leave(p)


def _leave(p: Part) -> None:
    p.in_link(GIVEN, take_out=True)
