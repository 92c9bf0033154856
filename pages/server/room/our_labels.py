"""Labels that a class gives the same texts: what is labelled, and who gave which label.

Texts and classes are one record of the room. A visit's labels are its answer to one question of
the room, a mark for each text; who reveals the question ends the labelling.

    "2.0-"     class 2, no label yet, class 0, skipped
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random

from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import Question, answers_kind, on_one_line
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.room import desk, membership, telling, votes
from pages.server.room.server_rooms import server_rooms

__all__ = ["StoreGoneError"]

NONE, SKIPPED = ".", "-"
MOST_TEXTS, LONGEST_TEXT = 100, 300  # texts, and characters of one
FEWEST_CLASSES, MOST_CLASSES, LONGEST_CLASS = 2, 6, 40
KIND, KEY = "labelling", "asked"  # of the record


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The texts that are labelled, and the classes."""

    id: str  # random
    texts: Sequence[str]
    classes: Sequence[str]

    @property
    def question(self) -> Question:
        """Return what a room knows it by."""
        name = f"our_labels_{self.id}"
        return Question(id=name, kind="labels", lesson="classification", label="our_labels")


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """A labelling in a visit's room, or of people who share one page."""

    asked: Asked
    marks: Mapping[str, str]  # by annotators: visits, or numbers of people
    annotator: str = ""  # this page's; "" for the teacher
    takes: bool = True  # more labels

    @property
    def own(self) -> str:
        """Return this page's marks."""
        return self.marks.get(self.annotator, NONE * len(self.asked.texts))

    @property
    def labels(self) -> list[dict[str, str]]:
        """Return for each text the labels by annotators."""
        classes, marks = self.asked.classes, self.marks.items()
        return [
            {who: classes[int(own[i])] for who, own in marks if own[i].isdigit()}
            for i in range(len(self.asked.texts))
        ]

    def next_text(self) -> int | None:
        """Return a text without a mark of this page's; None if there is none.

        It is one with the fewest labels, so that all texts get labels early; of several, the first
        in an order of the annotator's own.
        """
        left = [i for i, mark in enumerate(self.own) if mark == NONE]
        order = Random(self.asked.id + self.annotator).sample(range(len(self.own)), len(self.own))
        n_labels = [len(labels) for labels in self.labels]
        return min(left, key=lambda i: (n_labels[i], order[i]), default=None)


def read_asked(texts: Iterable[str], classes: str) -> Asked | None:
    """Return what is asked for; None without a text, or without two to six classes.

    Texts and names that are too long are cut, and texts beyond the largest number left out.

    >>> read_asked(["It rained."], "good, bad, good").classes
    ['good', 'bad']
    """
    lines = dict.fromkeys(on_one_line(text, LONGEST_TEXT) for text in texts)
    names = dict.fromkeys(on_one_line(name, LONGEST_CLASS) for name in classes.split(","))
    kept, named = ([one for one in each if any(map(str.isalnum, one))] for each in (lines, names))
    if not kept or not FEWEST_CLASSES <= len(named) <= MOST_CLASSES:
        return None
    return Asked(id=secrets.token_hex(4), texts=kept[:MOST_TEXTS], classes=named)


def n_cut(texts: Iterable[str], asked: Asked | None) -> int:
    """Return of how many texts the end is left out; two with one beginning are one text."""
    kept = {*asked.texts} if asked else set()
    long = (one for one in texts if len(on_one_line(one, LONGEST_TEXT + 1)) > LONGEST_TEXT)
    return len({on_one_line(one, LONGEST_TEXT) for one in long} & kept)


def marked(own: str, number: int, mark: str) -> str:
    """Return marks with another one for a text."""
    return own[:number] + mark + own[number + 1 :]


def directed() -> Desk | None:
    """Return the desk of the room that this visit directs."""
    return desk.current()


def is_in_room() -> bool:
    """Return whether this visit is in a room as a learner."""
    return membership.current() is not None


def follow() -> Labelling | None:
    """Return the labelling of this visit's room, and let the part be drawn again when it ends.

    None where there is none. Raises StoreGoneError.
    """
    membership.follow("votes")
    mine = membership.current()
    place = mine or desk.current()
    if place is None:
        return None
    try:
        with server_rooms() as rooms:
            text = rooms.store.get(place.code, KIND, KEY)
            if text is None:
                return None
            asked = Asked(**json.loads(text))
            return Labelling(
                asked=asked,
                marks=rooms.answers(place.code, asked.question.id),
                annotator=mine.visit if mine else "",
                takes=not rooms.look(place.code).state(asked.question.id).is_revealed,
            )
    except NoSuchRoomError:
        return None


def tell(asked: Asked, number: int, mark: str) -> None:
    """Tell the room this visit's mark for a text."""
    own = telling.told_choice(asked.question) or NONE * len(asked.texts)
    telling.tell_choice(asked.question, marked(own, number, mark))


def begin(mine: Desk, asked: Asked, link: str) -> None:
    """Let the class label texts, in place of those before; all are offered the view."""
    votes.act(_begin, mine, asked, link)


def end(mine: Desk, asked: Asked) -> None:
    """Take no more labels, and let everyone see those that were given."""
    votes.act(mine.reveal, asked.question.id)


def _begin(mine: Desk, asked: Asked, link: str) -> None:
    with server_rooms() as rooms:
        if before := rooms.store.get(mine.code, KIND, KEY):
            old = Asked(**json.loads(before)).question.id
            mine.reveal(old)  # a label that comes late brings the question no more
            rooms.store.drop(mine.code, "questions", old, with_kind=answers_kind(old, 1))
        rooms.store.put(mine.code, KIND, KEY, json.dumps(asdict(asked)), most=1)
        mine.ask(asked.question.id)
        mine.offer(link)
        rooms.store.wipe()
