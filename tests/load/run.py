"""Many learners on one server: `python -m tests.load.run [SCENARIO] [name=value ...]`.

Starts the app, drives a class of sessions against it over websockets and prints what they
met. It ends with 1 if a requirement of the scenario is not met. `n_learners=5 seconds=10`
change the scenario; `app=FILE` serves another app, `url=ADDRESS` takes a server that runs.

The driver needs about a tenth of a core for 30 sessions, on the machine that it measures.
"""

import asyncio
import contextlib
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from tests.browser.live import ROOT, Server
from tests.load.scenario import SCENARIOS, Scenario, Tab
from tests.load.session import RerunLostError, Session, SessionDroppedError

SAMPLE_SECONDS = 0.5  # between looks at the server's memory
LOG_LINES = 30  # printed if something went wrong


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

    @property
    def name(self) -> str:
        return self.tab.page

    async def begin(self) -> None:
        """Open the page, choose settings and start a run, as far as the tab says so."""
        self.opened_ms = await self.session.open()
        for key, widget in self.session.widgets(*self.tab.settings).items():
            if self.tab.settings:
                value = widget.another_value(self.session.value(key), self.rng)
                await self.change(key, value)
        if self.tab.start:
            await self.change(self.tab.start)
        self.note_progress()

    async def live(self, stop_at: float) -> None:
        """Move one widget after another until the time is over."""
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
        """Read from the page how far its run is."""
        if not self.tab.progress:
            return
        text = self.session.text()
        if found := re.search(self.tab.progress, text):
            self.progress.append(float(found[1].replace(",", "")))
        if self.tab.finished and re.search(self.tab.finished, text):
            self.has_finished = True

    @property
    def has_progressed(self) -> bool:
        """Return whether the run in this tab moved, or there is none to move."""
        moved = len(self.progress) > 1 and self.progress[-1] > self.progress[0]
        return not self.tab.progress or moved or self.has_finished


def cookie_of(learner: int) -> str:
    """Return the cookie of a learner's browser by which deploy/nginx.conf chooses a process."""
    return f"mlm_visit={learner:032x}"


def class_of(scenario: Scenario, url: str) -> list[Visit]:
    """Return all tabs of all learners, learner by learner."""
    return [
        Visit(
            tab,
            Session(url, tab.page, tab.query, cookie=cookie_of(learner)),
            Random(f"{learner}/{t}"),
        )
        for learner in range(scenario.n_learners)
        for t, tab in enumerate(scenario.kinds[learner % len(scenario.kinds)])
    ]


async def drive(scenario: Scenario, visits: list[Visit]) -> None:
    """Let the class arrive, work for the scenario's time, and leave."""

    async def guarded(visit: Visit, work, delay: float = 0.0) -> None:
        await asyncio.sleep(delay)
        try:
            if not visit.session.is_dropped:
                await work
        except (SessionDroppedError, KeyError) as error:
            visit.troubles.append(f"{visit.name}: {error}")
        finally:
            work.close()

    step = scenario.opening_seconds / len(visits)
    await asyncio.gather(*(guarded(v, v.begin(), i * step) for i, v in enumerate(visits)))
    stop_at = time.monotonic() + scenario.seconds
    await asyncio.gather(*(guarded(v, v.live(stop_at)) for v in visits))
    for visit in visits:
        with contextlib.suppress(OSError):
            await visit.session.close()


async def measure(scenario: Scenario, server: Server | None, url: str) -> tuple[list[Visit], int]:
    """Return all visits when they are over, and the server's memory at its highest, in MB."""
    visits, highest = class_of(scenario, url), 0
    work = asyncio.create_task(drive(scenario, visits))
    while not work.done():
        await asyncio.wait([work], timeout=SAMPLE_SECONDS)
        if server is not None:
            highest = max(highest, server.memory()["VmHWM"])
    await work
    return visits, highest


def quantile(values: list[float], share: float) -> float:
    """Return the value that this share of all values lies below; nan of none."""
    if len(values) < 2:
        return values[0] if values else float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


def table(visits: list[Visit], memory_mb: int) -> str:
    """Return what the class met, a line for each page and one for all."""
    lines = [
        f"{'page':<20}{'sessions':>9}{'reruns':>8}{'errors':>7}{'dropped':>8}{'lost':>6}"
        f"{'stalled':>8}"
        f"{'open p95':>10}{'changes':>8}{'p50':>7}{'p95':>7}{'max':>7}  ms"
    ]
    pages = sorted({visit.name for visit in visits})
    for page in [*pages, ""] if len(pages) > 1 else pages:
        some = [visit for visit in visits if page in ("", visit.name)]
        times = [ms for visit in some for ms in visit.changes_ms]
        lines.append(
            f"{page or 'all':<20}{len(some):>9}{sum(v.session.n_reruns for v in some):>8}"
            f"{sum(len(v.session.errors) + len(v.troubles) for v in some):>7}"
            f"{sum(v.session.is_dropped for v in some):>8}"
            f"{sum(v.n_lost for v in some):>6}{sum(not v.has_progressed for v in some):>8}"
            f"{quantile([v.opened_ms for v in some], 0.95):>10.0f}{len(times):>8}"
            f"{quantile(times, 0.5):>7.0f}{quantile(times, 0.95):>7.0f}"
            f"{max(times, default=float('nan')):>7.0f}"
        )
    return "\n".join(lines) + f"\nserver memory at its highest: {memory_mb} MB"


def requirements(scenario: Scenario, visits: list[Visit], memory_mb: int) -> list[tuple[str, bool]]:
    """Return each requirement as a sentence, and whether it is met."""
    times = [ms for visit in visits for ms in visit.changes_ms]
    n_dropped = sum(visit.session.is_dropped for visit in visits)
    n_errors = sum(len(v.session.errors) + len(v.troubles) for v in visits)
    n_lost = sum(visit.n_lost for visit in visits)
    n_stalled = sum(not visit.has_progressed for visit in visits)
    found = [
        (f"no error ({n_errors})", n_errors == 0),
        (f"no dropped session ({n_dropped})", n_dropped == 0),
        (f"no lost rerun ({n_lost})", n_lost == 0),
        (f"every run progresses ({n_stalled} do not)", n_stalled == 0),
    ]
    if (most := scenario.most_p95_ms) is not None:
        p95 = quantile(times, 0.95)
        found.append((f"p95 of a change at most {most:.0f} ms ({p95:.0f})", p95 <= most))
    if (most := scenario.most_memory_mb) is not None and memory_mb:
        found.append((f"server memory at most {most} MB ({memory_mb})", memory_mb <= most))
    return found


def main(arguments: list[str]) -> int:
    """Run one scenario; return the exit status."""
    words = [word for word in arguments if "=" not in word]
    options = dict(word.split("=", 1) for word in arguments if "=" in word)
    name = words[0] if words else "training"
    if name not in SCENARIOS:
        sys.exit(f"no scenario {name!r}: choose from {', '.join(SCENARIOS)}")
    app, url = Path(options.pop("app", ROOT / "app.py")), options.pop("url", "")
    changed = {key: float(value) for key, value in options.items()}
    if "n_learners" in changed:
        changed["n_learners"] = int(changed["n_learners"])
    scenario = replace(SCENARIOS[name], **changed)
    log = ""
    with tempfile.TemporaryDirectory() as folder:
        server = None if url else Server(Path(folder), app)
        try:
            visits, memory_mb = asyncio.run(measure(scenario, server, url or server.url))
        finally:
            if server is not None:
                server.stop()
                log = server.log()
    print(table(visits, memory_mb))
    troubles = [text for v in visits for text in [*v.session.errors, *v.troubles]]
    for text in sorted(set(troubles))[:20]:
        print(f"  {troubles.count(text)} x {text[:300]}")
    if troubles and log:
        print("the end of the server's log:", *log.splitlines()[-LOG_LINES:], sep="\n  ")
    met = requirements(scenario, visits, memory_mb)
    for sentence, is_met in met:
        print(f"{'met    ' if is_met else 'NOT MET'}  {sentence}")
    return 0 if all(is_met for _, is_met in met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
