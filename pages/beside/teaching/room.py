"""A class in one room: open one, and direct it from the desk.

The desk is polled. It is next to the other parts that are drawn alone and not inside of one: each
rerun of the outer one would start one more timer.
"""

from pages.beside.teaching import room_desk, room_end, room_invite, room_map, room_summary
from pages.beside.teaching.room_looks import is_looked_at
from pages.kit.part import Part, part
from pages.server import session
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.room import desk, membership

LOOK_SECONDS = 1.0


@part(redraws_page=True, words=("room",))
def show(p: Part) -> None:
    """Offer to open a room, or show the desk of the one that this visit directs."""
    kept = session.of(desk.AtDesk)
    desk.say(kept.news)
    kept.news = ""
    if kept.mine is None:
        p.say("lead")
        p.caption("kept")
        p.button("room_open", desk.open_room, label="open", type="primary", icon="groups")
        return
    if p.is_presented:  # how learners come in, or the newest question and its votes
        if not p.state.get(room_invite.JOINING, True):
            _draw_desk(p, room_desk.PROJECTED)
        room_invite.show(p)
        return
    above, is_empty = p.place(), room_invite.is_empty(kept.mine)
    what = p.choice(room_desk.SHOWN)
    if what == room_desk.OUR_MAP:
        room_map.show(p)
    _draw_desk(p, what, is_empty)
    if what != room_desk.SUMMARY:  # nobody comes in by a code on paper
        with above if is_empty else p.fold("invitation", "group_add"):
            room_invite.show(p)
    room_end.show(p)


def _draw_desk(p: Part, what: str, was_empty: bool = False) -> None:
    polls = is_looked_at(p) and what != room_desk.SUMMARY
    p.polled(_desk, what, was_empty, seconds=LOOK_SECONDS if polls else None)


def _desk(p: Part, what: str, was_empty: bool) -> None:
    try:
        if (mine := desk.current()) is not None:
            if was_empty and not room_invite.is_empty(mine):
                p.draw_page_now()  # the invitation makes room for the tools
            if what == room_desk.SUMMARY:
                room_summary.show(p, mine)
            else:
                room_desk.show(p, mine, what)
            return
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        p.warn(membership.GONE, icon="cloud_off")
        return
    p.draw_page_now()  # without a desk
