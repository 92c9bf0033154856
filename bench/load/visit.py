"""One tab of one learner and what happened in it, and the class that a scenario makes of them.

Read before this: session.py, walk.py, scenario.py. Read next: run.py
"""

import asyncio
import re
import time
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random

from bench.load.scenario import ANY_LESSON, Scenario, Tab
from bench.load.session import RerunLostError, Session
from bench.load.walk import Walk
from pages.server.course.lessons import LESSONS


@dataclass(eq=False)
class Visit:
    """One tab of one learner, and what happened in it."""

    tab: Tab
    session: Session
    rng: Random
    opened_ms: float = 0.0
    changes_ms: list[float] = field(default_factory=list)
    progress: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    n_lost: int = 0
    has_finished: bool = False
    has_shown: bool = False
    walk: Walk | None = None

    @property
    def name(self) -> str:
        if self.tab.walks:
            return "walk"
        return "a lesson" if self.tab.page == ANY_LESSON else self.tab.page

    async def begin(self) -> None:
        """Open the page, choose settings and start a run, as far as the tab says so."""
        self.opened_ms = await self.session.open()
        for key, widget in self.session.widgets(*self.tab.settings).items():
            if self.tab.settings:
                value = widget.another_value(self.session.value(key), self.rng)
                await self.change(key, value)
        for key, text in self.tab.typed:
            await self.change(key, text)
        if self.tab.start:
            await self.change(self.tab.start)
        self.note_progress()

    async def live(self, stop_at: float) -> None:
        """Move one widget after another, or walk, until the time is over."""
        if self.walk is not None:
            await self.walk.go(stop_at)
            self.changes_ms += [ms for _, _, ms in self.walk.changes_ms]
            self.n_lost += self.walk.n_lost
            return
        # Not all at once: a class has no common clock.
        await asyncio.sleep(self.rng.uniform(0, self.tab.every_seconds))
        while (left := stop_at - time.monotonic()) > 0:
            if self.tab.moves:
                await self.move()
            self.note_progress()
            pause = self.tab.every_seconds * self.rng.uniform(0.5, 1.5)
            await asyncio.sleep(max(0.0, min(pause, left)))
        self.note_progress()

    async def move(self) -> None:
        """Give one widget another value, and note how long its rerun took."""
        found = self.session.widgets(*self.tab.moves)
        widgets = {key: w for key, w in sorted(found.items()) if not w.is_disabled}
        if not widgets:
            self.troubles.append(f"{self.name}: no widget fits {', '.join(self.tab.moves)}")
            return
        key = self.rng.choice(list(widgets))
        value = widgets[key].another_value(self.session.value(key), self.rng)
        if (milliseconds := await self.change(key, value)) is not None:
            self.changes_ms.append(milliseconds)

    async def change(self, key: str, value: object = True) -> float | None:
        """Change a widget; return the milliseconds, or None if the rerun was lost."""
        try:
            return await self.session.change(key, value)
        except RerunLostError:
            self.n_lost += 1
            return None

    def note_progress(self) -> None:
        """Read from the page how far its run is, and whether it shows what it must."""
        if not self.tab.progress and not self.tab.shows:
            return
        text = self.session.text()
        self.has_shown = self.has_shown or bool(re.search(self.tab.shows, text))
        if not self.tab.progress:
            return
        if found := re.search(self.tab.progress, text):
            self.progress.append(float(re.sub(r"[,\\]", "", found[1])))
        if self.tab.finished and re.search(self.tab.finished, text):
            self.has_finished = True

    @property
    def has_progressed(self) -> bool:
        """Return whether the run in this tab moved, or there is none to move."""
        moved = any(later > earlier for earlier, later in pairwise(self.progress))
        is_as_it_must_be = self.has_shown or not self.tab.shows
        return is_as_it_must_be and (not self.tab.progress or moved or self.has_finished)


def cookie_of(learner: int) -> str:
    """Return the cookie of a learner's browser by which deploy/nginx.conf chooses a process."""
    return f"mlm_visit={learner:032x}"


def class_of(scenario: Scenario, url: str) -> list[Visit]:
    """Return all tabs of all learners, learner by learner."""
    return [
        visit_of(tab, learner, t, url, scenario.seconds_a_lesson or scenario.seconds / len(LESSONS))
        for learner in range(scenario.n_learners)
        for t, tab in enumerate(scenario.kinds[learner % len(scenario.kinds)])
    ]


def visit_of(tab: Tab, learner: int, number: int, url: str, seconds_a_lesson: float) -> Visit:
    """Return one tab of a learner."""
    rng, first = Random(f"{learner}/{number}"), learner % len(LESSONS)
    page = LESSONS[first].slug if tab.page == ANY_LESSON else tab.page
    session = Session(url, page, tab.query, cookie=cookie_of(learner))
    typed = tuple((key, text.replace("{learner}", str(learner))) for key, text in tab.typed)
    visit = Visit(replace(tab, typed=typed), session, rng)
    if tab.walks:
        visit.walk = Walk(
            session,
            rng,
            first=first,
            types=learner % 3 == 0,
            seconds_a_lesson=seconds_a_lesson,
            every_seconds=tab.every_seconds,
        )
    return visit
