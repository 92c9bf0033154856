"""Whether the teacher's browser shows the page: a desk in a hidden tab isn't polled."""

from pages.kit.element import element
from pages.kit.part import Part

HIDDEN = "room_hidden"  # state

_looks = element(__file__)


def is_looked_at(p: Part) -> bool:
    """Return whether the tab is in front, as far as the browser says, which can be anything."""

    def report(is_hidden: object) -> None:
        p.state[HIDDEN] = is_hidden is True

    _looks(p.key("room_looks"), hidden=report)
    return not p.state.get(HIDDEN, False)
