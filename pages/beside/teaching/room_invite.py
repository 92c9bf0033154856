"""How learners come into the room, and what holds for the whole room."""

from urllib.parse import urlencode

from mlm_core.figures.classroom.qr_code import qr_svg
from pages.beside.teaching.address import address, ask_address
from pages.kit.part import Part, Text, as_text, part
from pages.server import session
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import LEARNER_QUESTIONS, SENTENCES
from pages.server.room import collecting, desk, membership
from pages.server.room.server_rooms import asked

JOINING = "room_join"  # the switch of how learners come in


@part(words=("room",))
def show(p: Part) -> None:
    """Show code, link and QR code, and the settings of the room."""
    mine = desk.current()
    if mine is None:
        return
    if p.is_presented:
        _project(p, address(p), mine)
        return
    left, right = p.columns()
    with left:
        p.write(f"# {_in_halves(mine.code)}")
        is_joining = _join_switch(p)
        room = p.words
        collecting.room_switch(room, mine, "waits", lambda now: now.waits, mine.keep_answers)
        for collection in (SENTENCES, LEARNER_QUESTIONS):
            collecting.show_switch(room, mine, collection)
        collecting.show_test_switch(room, mine)
        if not is_joining:
            return
        here = ask_address(p)
        _show_links(p, here, mine)
    with right:
        _draw_code(p, here, mine)
    p.caption("how_to_offer")


def is_empty(mine: Desk) -> bool:
    """Return whether no learner has come into the room yet."""
    return not asked(lambda _: mine.n_came())


def _show_links(p: Part, here: str, mine: Desk) -> None:
    """Show the link of learners, and that of the desk."""
    p.write_small(p.label("join_link"))
    p.program(_link(here, mine), None, wrap_lines=True)
    with p.popover("desk_link", "key", type="tertiary"):
        p.say("desk_link_why")
        view = {
            p.key("part"): "room",
            membership.IN_LINK: mine.code,
            desk.IN_LINK: session.of(desk.AtDesk).key,
        }
        p.program(f"{here}{p.slug}?{urlencode(view)}", None, wrap_lines=True)


def _project(p: Part, here: str, mine: Desk) -> None:
    """Show code, address and QR code as large as a projector can, and the switch below."""
    if p.state.get(JOINING, True):
        left, right = p.columns(align="center")
        with left, p.place(css="room_code"):
            p.heading(Text(_in_halves(mine.code)), is_large=True)
            p.write(as_text(_link(here, mine)))
        with right:
            _draw_code(p, here, mine)
    _join_switch(p)


def _draw_code(p: Part, here: str, mine: Desk) -> None:
    link = _link(here, mine)
    p.drawing("room_qr", qr_svg(link, alt=p.plain("qr_alt", link=link)))


def _join_switch(p: Part) -> bool:
    return p.switched(JOINING, True, "show_join", on_change=p.draw_whole_page)


def _link(here: str, mine: Desk) -> str:
    return f"{here}?{urlencode({membership.IN_LINK: mine.code})}"


def _in_halves(code: str) -> str:
    """Return a code as it is read aloud: BCDF GHJK."""
    return f"{code[:4]} {code[4:]}"
