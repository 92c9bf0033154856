"""Many learners on one server: `python -m bench.load.run [SCENARIO ...] [name=value ...]`.

For each scenario (without a name: for all of scenario.py) it starts the app, drives a
class of sessions against it over websockets and prints what they met. It ends with 1 if a
requirement is not met. `n_learners=5 seconds=10` change the scenario, `url=ADDRESS` takes a server
that runs; `attacks=texts,runs` are some of an attacker's ways.
`room` plays a class in one room instead: room.py; `faults` what breaks on a server: faults.py;
`memory` which class dies within a hard limit: memory.py.

The driver needs about a twentieth of a core for 30 sessions, on the machine that it measures.
Read before this: play.py.
"""

import asyncio
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.load import faults, room
from bench.load.play import measure
from bench.load.scenario import SCENARIOS, Scenario
from bench.load.tables import ServerFigures, lesson_table, requirements, table
from bench.load.visit import Visit
from tests.browser.live import Server
from tests.deploy.site import Site

LOG_LINES = 30  # printed if something went wrong


def main(arguments: list[str]) -> int:
    """Run the scenarios that are named, or the whole list; return the exit status."""
    words = [word for word in arguments if "=" not in word]
    options = dict(word.split("=", 1) for word in arguments if "=" in word)
    if words == ["room"]:
        return room.main(options)
    if words[:1] == ["memory"]:
        return faults.main(["memory"], *words[1:])
    if words[:1] == ["faults"]:
        return faults.main(words[1:])
    names = words or list(SCENARIOS)
    if unknown := [name for name in names if name not in SCENARIOS]:
        sys.exit(f"no scenario {unknown[0]!r}: choose from {', '.join(SCENARIOS)}, faults, room")
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
    with tempfile.TemporaryDirectory() as name:
        server, folder, n = None, Path(name), scenario.n_processes
        if not url:
            server = Server(folder, gets_ready=True) if n == 1 else Site(n, folder)
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
