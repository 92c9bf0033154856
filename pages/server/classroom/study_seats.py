"""The seats of a study in its room: a group, the order of the test's two forms, a learner's id.

    study           visit -> the seat, as "lesson AB bcdfwxzk"; older ones have no id
    study_drawn     random -> a drawn group and order, "lesson AB", which nobody's leaving changes
    study_stopped   visit -> "": it stopped, and the room takes nothing of it any more

Chance draws among the groups that have the fewest learners, then among the orders that have the
fewest in that group: groups differ by one learner at most, where no two press at the same moment
and nobody stops.

Read before this: rooms.py.
"""

import json
import secrets
from collections import Counter
from collections.abc import Sequence
from random import Random

from pages.server.classroom.rooms import (
    COLLECTIONS,
    MOST_LESSONS,
    MOST_VISITS,
    STOPPED,
    STUDY,
    Rooms,
)

DRAWN, MOST = "study_drawn", MOST_LESSONS * MOST_VISITS
# Of ids: a spreadsheet changes digits (00123456, 1e234567), and vowels make words.
LETTERS = "bcdfghjkmnpqrstvwxz"
Seat = tuple[str, str, str]  # group, order, and the learner's random id


def seats(rooms: Rooms, code: str) -> dict[str, Seat]:
    """Return the seats of a room by the visit, a random id."""
    return {visit: _seat(said) for visit, said in rooms.store.all(code, STUDY).items()}


def n_drawn(rooms: Rooms, code: str) -> Counter[str]:
    """Return how often each group and order was drawn, also for those who stopped."""
    return Counter(rooms.store.all(code, DRAWN).values())


def keep(rooms: Rooms, code: str, visit: str, seat: Sequence[str]) -> None:
    """Let the room know the seat that a learner has from an earlier sitting."""
    rooms.store.put(code, STUDY, visit, " ".join(seat).strip(), most=MOST_VISITS)


def draw(
    rooms: Rooms, code: str, visit: str, groups: Sequence[str], orders: Sequence[str], rng: Random
) -> Seat:
    """Return the seat of a visit: the one that it has, or a new one that chance gives it."""
    taken = seats(rooms, code)
    if visit not in taken:
        in_groups = Counter(group for group, *_ in taken.values())
        group = rng.choice(_fewest(groups, in_groups))
        in_orders = Counter(order for one, order, _ in taken.values() if one == group)
        order = rng.choice(_fewest(orders, in_orders))
        taken[visit] = group, order, "".join(rng.choices(LETTERS, k=8))
        keep(rooms, code, visit, taken[visit])
        rooms.store.put(code, DRAWN, secrets.token_hex(8), f"{group} {order}", most=MOST)
    return taken[visit]


def had_seat(rooms: Rooms, code: str, visit: str) -> bool:
    """Return whether a visit has a seat, or stopped."""
    return rooms.store.get(code, STUDY, visit) is not None or rooms.has_stopped(code, visit)


def stop(rooms: Rooms, code: str, visit: str) -> None:
    """Delete what a room has of a visit, and take nothing of it any more. Raises NoSuchRoomError.

    What the teacher let through goes, too; a question that others answered stays, without its id.
    """
    rooms.store.put(code, STOPPED, visit, "", most=MOST)
    rooms.forget(code, visit)
    for collection in COLLECTIONS:
        for one in rooms.sent(code, collection, visit):
            rooms.drop(code, collection, one.key)
    for name, text in rooms.store.all(code, "questions").items():
        if (question := json.loads(text))["by"] == visit:
            question["by"] = ""
            rooms.store.put(code, "questions", name, json.dumps(question), most=MOST)


def _seat(said: str) -> Seat:
    group, order, learner, *_ = [*said.split(" "), "", "", ""]
    return group, order, learner


def _fewest(names: Sequence[str], counts: Counter[str]) -> list[str]:
    least = min(counts[name] for name in names)
    return [name for name in names if counts[name] == least]
