"""The seats of a study in its room: a group, and the order of the test's two forms.

    study    visit -> the group and the order, as "lesson AB"

Chance draws among the groups that have the fewest learners, then among the orders that have the
fewest in that group: groups differ by one learner at most, where no two press at the same moment.

Read before this: rooms.py.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from pages.server.classroom.rooms import MOST_VISITS, STUDY, Rooms

Seat = tuple[str, str]  # group and order


def seats(rooms: Rooms, code: str) -> dict[str, Seat]:
    """Return the seats of a room by the visit, a random id."""
    kept = rooms.store.all(code, STUDY)
    return {visit: (said.partition(" ")[0], said.partition(" ")[2]) for visit, said in kept.items()}


def keep(rooms: Rooms, code: str, visit: str, seat: Seat) -> None:
    """Let the room know the seat that a learner has from an earlier sitting."""
    rooms.store.put(code, STUDY, visit, " ".join(seat), most=MOST_VISITS)


def draw(
    rooms: Rooms, code: str, visit: str, groups: Sequence[str], orders: Sequence[str], rng: Random
) -> Seat:
    """Return the seat of a visit: the one that it has, or a new one that chance gives it."""
    taken = seats(rooms, code)
    if visit not in taken:
        in_groups = Counter(group for group, _ in taken.values())
        group = rng.choice(_fewest(groups, in_groups))
        in_orders = Counter(order for one, order in taken.values() if one == group)
        taken[visit] = group, rng.choice(_fewest(orders, in_orders))
        keep(rooms, code, visit, taken[visit])
    return taken[visit]


def _fewest(names: Sequence[str], counts: Counter[str]) -> list[str]:
    least = min(counts[name] for name in names)
    return [name for name in names if counts[name] == least]
