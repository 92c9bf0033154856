"""Many learners on one server: `python -m bench.load.run [SCENARIO ...] [name=value ...]`.

For each scenario (without a name: for all of scenario.py) it starts the app, drives a
class of sessions against it over websockets and prints what they met. It ends with 1 if a
requirement is not met. `n_learners=5 seconds=10` change the scenario, `url=ADDRESS` takes a server
that runs; `attacks=texts,runs` are some of an attacker's ways.
`growth` plays one class size after another instead: growth.py; `room` a class in one room: room.py;
`faults` what breaks on a server: faults.py.

The driver needs about a twentieth of a core for 30 sessions, on the machine that it measures.
Read before this: session.py, walk.py, scenario.py.
"""

import asyncio
import contextlib
import sys
import tempfile
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

from bench.load import attacker
from bench.load.behind_nginx import Site
from bench.load.scenario import SCENARIOS, Scenario
from bench.load.session import Session, SessionDroppedError
from bench.load.tables import ServerFigures, lesson_table, requirements, table
from bench.load.visit import Visit, class_of, cookie_of
from pages.shared.course.lessons import LESSONS
from tests.browser.live import Server

SAMPLE_SECONDS = 0.5  # between looks at the server's memory
LOG_LINES = 30  # printed if something went wrong
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


def main(arguments: list[str]) -> int:
    """Run the scenarios that are named, or the whole list; return the exit status."""
    words = [word for word in arguments if "=" not in word]
    options = dict(word.split("=", 1) for word in arguments if "=" in word)
    if words == ["growth"]:
        from bench.load import growth

        return growth.main(options)
    if words == ["room"]:
        from bench.load import room

        return room.main(options)
    if words[:1] == ["faults"]:
        from bench.load import faults

        return faults.main(words[1:])
    names = words or list(SCENARIOS)
    if unknown := [name for name in names if name not in SCENARIOS]:
        sys.exit(
            f"no scenario {unknown[0]!r}: choose from {', '.join(SCENARIOS)}, faults, growth, room"
        )
    url = options.pop("url", "")
    ways = {"attacks": tuple(options.pop("attacks").split(","))} if "attacks" in options else {}
    changed = ways | {key: float(value) for key, value in options.items()}
    for whole in {"n_learners", "n_processes"} & changed.keys():
        changed[whole] = int(changed[whole])
    return max(play(name, replace(SCENARIOS[name], **changed), url) for name in names)


def play(name: str, scenario: Scenario, url: str) -> int:
    """Run one scenario and print what it met; return the exit status."""
    print(f"\n{name}: {scenario.n_learners} learners, {scenario.seconds:.0f} s", flush=True)
    log = ""
    with tempfile.TemporaryDirectory() as folder:
        server = None
        if not url:
            is_one = scenario.n_processes == 1
            server = Server(Path(folder), gets_ready=True) if is_one else Site(scenario.n_processes)
        try:
            visits, figures = asyncio.run(measure(scenario, server, url or server.url))
        finally:
            if server is not None:
                log = server.log()
                server.stop()
    print(table(visits, figures))
    if any(visit.walk is not None for visit in visits):
        print(lesson_table(visits))
    return verdict(scenario, visits, figures, log)


def verdict(scenario: Scenario, visits: list[Visit], figures: ServerFigures, log: str) -> int:
    """Print what went wrong, and each requirement with whether it is met; return the status."""
    refusals = [text for visit in visits for text in visit.session.refusals]
    for text in sorted(set(refusals))[:20]:
        print(f"  refused {refusals.count(text)} x {text[:200]}")
    troubles = [text for v in visits for text in [*v.session.errors, *v.troubles]]
    for text in sorted(set(troubles))[:20]:
        print(f"  {troubles.count(text)} x {text[:300]}")
    if troubles and log:
        print("the end of the server's log:", *log.splitlines()[-LOG_LINES:], sep="\n  ")
    met = requirements(scenario, visits, figures)
    for sentence, is_met in met:
        print(f"{'met    ' if is_met else 'NOT MET'}  {sentence}")
    return 0 if all(is_met for _, is_met in met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
