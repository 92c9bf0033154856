"""A class plays a scenario on one server: it arrives, works, and leaves; the server is watched.

Read before this: session.py, walk.py, scenario.py. Read next: run.py.
"""

import asyncio
import contextlib
import time
import urllib.request

from bench.load import attacker
from bench.load.scenario import Scenario
from bench.load.session import Session, SessionDroppedError
from bench.load.tables import ServerFigures
from bench.load.visit import Visit, class_of, cookie_of
from pages.server.course.lessons import LESSONS
from tests.browser.live import Server
from tests.deploy.site import Site

SAMPLE_SECONDS = 0.5  # between looks at the server's memory
READY = "ready for a class"  # in the server's log
READY_SECONDS = 400.0  # that it may take; half a minute on a quiet machine
SETTLING_SECONDS = 5.0  # for a visit to be over


async def drive(scenario: Scenario, visits: list[Visit], url: str) -> None:
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
    work = [guarded(v, v.live(stop_at)) for v in visits]
    if scenario.attacks:
        work.append(attacker.in_a_process(url, scenario.seconds, scenario.attacks))
    await asyncio.gather(*work)
    for visit in visits:
        with contextlib.suppress(OSError):
            await visit.session.close()


async def warm_up(server: Server | Site, url: str, n_processes: int = 1) -> None:
    """Let one visitor open every lesson, and wait until all processes are ready for a class."""
    session = Session(url, LESSONS[0].slug, cookie=cookie_of(0))
    await session.open()
    for lesson in LESSONS[1:]:
        await session.go_to(lesson.slug)
    stop_at = time.monotonic() + READY_SECONDS
    while server.log().count(READY) < n_processes:
        if time.monotonic() > stop_at:
            raise AssertionError(f"not ready for a class:\n{server.log()}")
        await asyncio.sleep(1.0)
    await session.close()
    await asyncio.sleep(SETTLING_SECONDS)


def health_ms(url: str) -> float:
    """Return how long the server takes to say that it is well; a minute if it does not."""
    began = time.perf_counter()
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=60):
        return 1000 * (time.perf_counter() - began)
    return 60_000.0


async def measure(
    scenario: Scenario, server: Server | Site | None, url: str
) -> tuple[list[Visit], ServerFigures]:
    """Return all visits when they are over, and what the server took."""
    visits, before, highest, left, slowest_ms = class_of(scenario, url), 0, 0, 0, 0.0
    if server is not None and scenario.is_warm:
        await warm_up(server, url, scenario.n_processes)
        before = server.memory()["VmRSS"]
    work = asyncio.create_task(drive(scenario, visits, url))
    while not work.done():
        await asyncio.wait([work], timeout=SAMPLE_SECONDS)
        slowest_ms = max(slowest_ms, await asyncio.to_thread(health_ms, url))
        if server is not None:
            highest = max(highest, server.memory()["VmHWM"])
    await work
    if server is not None and scenario.after_seconds:
        await asyncio.sleep(scenario.after_seconds)
        left = server.memory()["VmRSS"]
    figures = ServerFigures(before=before, highest=highest, left=left, slowest_health_ms=slowest_ms)
    return visits, figures
