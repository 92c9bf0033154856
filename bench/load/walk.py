"""A learner who walks through all lessons: opens each, moves its widgets, goes from part to part.

What they do in a lesson comes from what stands on its page, so a new lesson or widget is walked
without a line here. Read before this: session.py. Read next: run.py, which drives a class of them.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from random import Random

from bench.load.session import RerunLostError, Session
from pages.server.course.lessons import LESSONS

MOVES_A_PART = 2
# Pressed by those alone who train or fit: everybody's would be another class than the issue's.
LEFT_ALONE = (
    "*_start",
    "*_start_*",
    "*_run_*",
    "*_pause",
    "*_resume",
    "*_step",
    "*_reset",
    "*_next",
    "*_kind",
    "*_part",
    "*_shown",
    "*_measure*",
)


@dataclass(eq=False)
class Walk:
    """One tab on its way through the lessons, and what it met."""

    session: Session
    rng: Random
    first: int  # lesson that it begins with
    types: bool  # it writes sentences of its own, too
    seconds_a_lesson: float
    every_seconds: float
    opened_ms: list[tuple[str, float]] = field(default_factory=list)  # of which lesson
    # Of which lesson and widget.
    changes_ms: list[tuple[str, str, float]] = field(default_factory=list)
    lessons: list[str] = field(default_factory=list)  # in the order of visits
    parts: set[tuple[str, str]] = field(default_factory=set)
    n_lost: int = 0

    async def go(self, stop_at: float) -> None:
        """Walk through all lessons, and on until the time is over."""
        began = time.monotonic() - self.rng.uniform(0, self.seconds_a_lesson)
        for number, slug in enumerate(self._order(), 1):
            if time.monotonic() >= stop_at:
                return
            # By the clock, so that slow answers don't cost the last lesson its time; but by each
            # learner's own: a class doesn't turn its page at one stroke.
            leave_at = min(stop_at, began + number * self.seconds_a_lesson)
            if slug != self.session.page:
                self.opened_ms.append((slug, await self.session.go_to(slug)))
            self.lessons.append(slug)
            await self._look_around(slug, leave_at)

    def _order(self) -> Iterator[str]:
        number = self.first
        while True:
            yield LESSONS[number % len(LESSONS)].slug
            number += 1

    async def _look_around(self, slug: str, leave_at: float) -> None:
        """Move widgets of the opening, then of one part after another, until it is time to go."""
        n_moves = 0
        await self._pause(leave_at)
        while time.monotonic() < leave_at:
            if n_moves < MOVES_A_PART:
                await self._move(slug)
                n_moves += 1
            else:
                await self._next_part(slug)
                n_moves = 0
            await self._pause(leave_at)

    async def _pause(self, leave_at: float) -> None:
        left = leave_at - time.monotonic()
        pause = self.every_seconds * self.rng.uniform(0.5, 1.5)
        await asyncio.sleep(max(0.0, min(pause, left)))

    async def _move(self, slug: str) -> None:
        widgets = {
            key: widget
            for key, widget in sorted(self.session.widgets(f"{slug}_*").items())
            if not widget.is_disabled
            and not any(fnmatchcase(key, pattern) for pattern in LEFT_ALONE)
            and (self.types or widget.kind not in ("text_input", "text_area"))
        }
        if not widgets:
            return
        key = self.rng.choice(list(widgets))
        widget = widgets[key]
        value = widget.another_value(self.session.value(key), self.rng)
        if widget.kind in ("text_input", "text_area") and "[MASK]" in str(self.session.value(key)):
            value = f"{value[:-1]} near the [MASK]."
        await self._change(key, value)

    async def _next_part(self, slug: str) -> None:
        """Go on to the next part of the lesson, or after the last to any."""
        key = f"{slug}_part"
        if f"{key}_next" in self.session.widgets(f"{key}_next"):
            await self._change(f"{key}_next", True)
        elif key in self.session.widgets(key):
            widget = self.session.widget(key)
            await self._change(key, widget.another_value(self.session.value(key), self.rng))
        if key in self.session.widgets(key):
            self.parts.add((slug, str(self.session.value(key))))

    async def _change(self, key: str, value: object) -> None:
        try:
            milliseconds = await self.session.change(key, value)
            self.changes_ms.append((self.session.page, key, milliseconds))
        except RerunLostError:
            self.n_lost += 1
