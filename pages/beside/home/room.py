"""The way into a class's room for learners who have its code and no link."""

from pages.kit.part import Part, part
from pages.server.classroom.rooms import read_code
from pages.server.room import membership

REFUSED = "room_refused"  # state: why the last try failed; said once
LONGEST_CODE = 20  # characters; with spaces and hyphens between the letters


@part(redraws_page=True)
def show(p: Part) -> None:
    """Ask for a code, unless the visit is in a room already."""
    if membership.current() is not None:
        return
    p = p.with_words("room")
    with p.popover("join", "groups", type="tertiary"):
        p.say("come_in")
        settings = {"label": "join", "icon": "", "type": "secondary", "border": False}
        with p.form("room", "room_join", _join, p, **settings):
            p.typed("room_code", "code", longest=LONGEST_CODE, stays=False)
            _say_why_not(p)


def _say_why_not(p: Part) -> None:
    """Say under the field what was wrong with the last code."""
    refused = p.state.pop(REFUSED, None)
    if refused is None:
        return
    with p.place(css=p.key(REFUSED)):
        if refused in ("no_code", membership.GONE):
            p.warn(refused, icon="abc")
        else:
            sentence = p.translated(refused)  # the core's begin with a small letter
            p.refused(f"{sentence[0].upper()}{sentence[1:]}.", "abc", mildly="warning")
    p.scroll_to(p.key(REFUSED))


def _join(p: Part) -> None:
    code = read_code(p.state.get("room_code") or "")
    if code:
        membership.join(code)
    news = membership.take_news()  # said here instead of above the page
    if membership.current() is None:
        p.state[REFUSED] = news if code else "no_code"
    else:
        p.draw_whole_page()
