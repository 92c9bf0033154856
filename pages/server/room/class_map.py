"""The class's map of one word: what the teacher asks for, and the sentences on it.

The theme of the collection names the word, its other forms and the senses:

    Bank, Bänke | money | bench
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pages.server import session
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import MAP, Sent
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.room import desk, membership, telling
from pages.server.room.server_rooms import server_rooms

FEWEST_SENSES, MOST_SENSES = 2, 4
MOST_EACH, LONGEST = MAP.most_each, MAP.fields["sentence"]  # sentences of a learner; characters
LONGEST_WORD = 40  # characters, with its other forms
BETWEEN, BETWEEN_FORMS = "|", ","
# Between two drawings of a learner's page for others' sentences. A drawing takes 0.3 s of a core:
# sixty phones that follow each single sentence would take more than two cores, and now 0.6.
REST_SECONDS = 30.0


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the teacher asks for."""

    word: str
    forms: tuple[str, ...]  # other ones
    senses: tuple[str, ...]

    def as_theme(self) -> str:
        """Return it as it is kept."""
        word = BETWEEN_FORMS.join((self.word, *self.forms))
        return f" {BETWEEN} ".join((word, *self.senses))


@dataclass(frozen=True, kw_only=True)
class ClassMap:
    """The map in this visit's room."""

    asked: Asked
    code: str  # of the room
    takes: bool  # more sentences
    sent: Sequence[Sent]  # with the senses that are asked for, the earliest accepted first
    visit: str  # this learner's random id; "" for the teacher

    @property
    def accepted(self) -> list[Sent]:
        """Return the sentences that are on the map."""
        return [one for one in self.sent if one.state == "accepted"]


@dataclass
class Shown:
    """What a visit's page shows of the map."""

    found: ClassMap | None = None
    since: float | None = None  # time.monotonic(); None once it is to be drawn again


def read_theme(theme: str) -> Asked | None:
    """Return what a theme asks for; None if it names no word, or not two to four senses.

    >>> read_theme("Bank, Bänke | money | bench")
    Asked(word='Bank', forms=('Bänke',), senses=('money', 'bench'))
    >>> read_theme("bank | money | money | ?")
    """
    words, *senses = (one.strip() for one in theme.split(BETWEEN))
    word, *forms = _named(words[:LONGEST_WORD].split(BETWEEN_FORMS)) or [""]
    senses = _named(one[: MAP.fields["sense"]] for one in senses)
    if not word or not FEWEST_SENSES <= len(senses) <= MOST_SENSES:
        return None
    return Asked(word=word, forms=tuple(forms), senses=tuple(senses))


def look() -> ClassMap | None:
    """Return the map of this visit's room as it is now; None outside of one, or without a map.

    Raises StoreGoneError.
    """
    mine = membership.current()
    place = mine or desk.current()
    if place is None:
        return None
    try:
        with server_rooms() as rooms:
            room = rooms.look(place.code)
            asked = read_theme(room.themes[MAP.name])
            if asked is None:
                return None
            sent = [one for one in rooms.sent(place.code, MAP) if one.said["sense"] in asked.senses]
    except NoSuchRoomError:
        return None
    sent.sort(key=lambda one: (one.judged_at, one.at, one.key))
    return ClassMap(
        asked=asked,
        code=place.code,
        takes=MAP.name in room.takes,
        sent=sent,
        visit=mine.visit if mine else "",
    )


def is_in_room() -> bool:
    """Return whether this visit is in a room, or directs one."""
    return (membership.current() or desk.current()) is not None


def send(sentence: str, sense: str) -> bool:
    """Put a sentence of this visit's into the teacher's queue; return whether it is there."""
    return telling.send(MAP, {"sentence": sentence, "sense": sense})


def follow() -> ClassMap | None:
    """Return the map, and let the page be drawn again when it is another.

    While the store can't be reached it is the map of before; raises StoreGoneError without one.
    """
    membership.follow("map")
    shown = session.of(Shown)
    try:
        shown.found = look()
    except StoreGoneError:
        place = membership.current() or desk.current()
        if shown.found is None or place is None or shown.found.code != place.code:
            raise
    shown.since = time.monotonic()
    return shown.found


def have_changed() -> bool:
    """Return, once, whether the page shows a map that is another by now.

    What became of a learner's own sentences is followed at once, others' after a rest; a teacher's
    page rests never.
    """
    shown = session.of(Shown)
    if shown.since is None:
        return False
    try:
        now = look()
    except StoreGoneError:
        return False
    is_rested = time.monotonic() - shown.since >= REST_SECONDS
    follows_all = is_rested or membership.current() is None
    if _mark(now, of_all=follows_all) == _mark(shown.found, of_all=follows_all):
        return False
    shown.since = None
    return True


def begin(mine: Desk, asked: Asked, link: str) -> None:
    """Ask for sentences; those of an earlier map are dropped, and all are offered the view."""
    mine.judge(MAP, [one.key for one in mine.sent(MAP)], "dropped")
    mine.ask_for(MAP, asked.as_theme())
    mine.take(MAP, True)
    mine.offer(link)


def _mark(found: ClassMap | None, *, of_all: bool) -> object:
    """Return what a page follows: what is asked for, the visit's own sentences, or all on a map."""
    if found is None:
        return None
    own = [(one.key, one.state) for one in found.sent if one.visit == found.visit]
    return found.asked, found.takes, own, of_all and [one.key for one in found.accepted]


def _named(texts: Iterable[str]) -> list[str]:
    """Return the texts that have a letter or digit, each once."""
    kept = (" ".join(one.split()) for one in texts)
    return list(dict.fromkeys(one for one in kept if any(map(str.isalnum, one))))
