"""A lesson plan that a class is led through: the step that is on, since when, and the next one."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pages.server import session
from pages.server.classroom.own_step import Own
from pages.server.room import desk
from pages.server.room.server_rooms import asked


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One step: where it leads, and what the teacher has to know of it."""

    title: str
    minutes: int
    note: str = ""
    file: str = ""  # of the page; none for talk or work on paper
    slug: str = ""
    parameters: Mapping[str, Sequence[str]]
    own: Own = ""  # the teacher's own text or question, which learners get on their pages


@dataclass(frozen=True, kw_only=True)
class Run:
    """The plan as it runs."""

    stops: tuple[Stop, ...]
    at: int = 0
    since: float  # seconds, of time.monotonic()

    @property
    def now(self) -> Stop:
        """Return the step that is on."""
        return self.stops[self.at]

    @property
    def minutes_left(self) -> int:
        """Return the minutes that are left for this step; below 0 when it takes longer."""
        return round(self.now.minutes - (time.monotonic() - self.since) / 60)

    def near(self, by: int) -> Stop | None:
        """Return the step one earlier (-1) or later (1); None where there is none."""
        other = self.at + by
        return self.stops[other] if 0 <= other < len(self.stops) else None


@dataclass
class Led:
    """The plan that a visit is running, if it runs one."""

    run: Run | None = None
    given: tuple[str, str] = ("", "")  # room, and id of the text or question that it gave last


def current() -> Run | None:
    """Return the plan that this visit is running, if it runs one."""
    return session.of(Led).run


def start(stops: Sequence[Stop], at: int = 0) -> None:
    """Begin with a step, counted from 0."""
    _lead(Run(stops=tuple(stops), at=at, since=time.monotonic()))


def go(by: int) -> None:
    """Go to the step one earlier or later."""
    run = current()
    if run is not None and run.near(by):
        _lead(replace(run, at=run.at + by, since=time.monotonic()))


def stop() -> None:
    """End the run, and take the class's text or question back; the plan stays."""
    _lead(None)
    if (mine := desk.current()) is not None:
        asked(lambda _: mine.show_own(""))


def _lead(run: Run | None) -> None:
    led = session.of(Led)
    led.run, led.given = run, ("", "")
