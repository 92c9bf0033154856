"""How a server grows with its class: `make load LOAD=growth`, twelve minutes.

Plays 10, 20, 40, 60 and 100 learners, each size for half a minute on a new server: on one process
and on two, both behind nginx. Prints what they met as a table, and writes it into deploy/README.md
between two marks, and as a picture into docs/pictures/growth.svg. `sizes=5,10 seconds=15
processes=1` try other sizes, and write nothing. Read before this: play.py.
"""

import asyncio
import os
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from bench.load.behind_nginx import Site
from bench.load.play import measure
from bench.load.scenario import CLASS, SCENARIOS, Scenario
from bench.load.tables import quantile
from bench.load.visit import Visit
from mlm_core.figures.curves import Curve, curves_file, curves_svg, nice_range
from tests.browser.live import ROOT

SIZES, PROCESSES = (10, 20, 40, 60, 100), (1, 2)
PLAY = Scenario(
    kinds=CLASS, opening_seconds=10.0, seconds=30.0, seconds_a_lesson=30.0, is_warm=True
)
MOST_P95_MS = SCENARIOS["class"].most_p95_ms
TABLE = ROOT / "deploy" / "README.md"
PICTURE = ROOT / "docs" / "pictures" / "growth.svg"
BEGIN, END = "<!-- written by `make load LOAD=growth` -->", "<!-- until here -->"


@dataclass(frozen=True, kw_only=True)
class Size:
    """What a class of one size met."""

    n_processes: int
    n_learners: int
    p50_ms: float
    p95_ms: float
    memories_mb: tuple[int, ...]  # of each process, at its highest
    kb_a_minute: float  # received by a learner
    n_troubles: int  # errors, dropped sessions, lost reruns, runs that stand still

    @property
    def memory_mb(self) -> int:
        return sum(self.memories_mb)

    def row(self) -> str:
        """Return a row of the table."""
        each = " + ".join(map(str, sorted(self.memories_mb, reverse=True)))
        return (
            f"| {self.n_processes} | {self.n_learners} | {self.p50_ms:.0f} | {self.p95_ms:.0f}"
            f" | {each} | {self.kb_a_minute:,.0f} | {self.n_troubles} |"
        )


def main(options: dict[str, str]) -> int:
    """Play all sizes; write table and picture if none was changed; return the exit status."""
    is_whole = not options
    sizes = [int(n) for n in options.pop("sizes", "").split(",") if n] or SIZES
    processes = [int(n) for n in options.pop("processes", "").split(",") if n] or PROCESSES
    play = replace(PLAY, **{name: float(value) for name, value in options.items()})
    print(HEAD, flush=True)
    found = []
    for n_processes in processes:
        for n_learners in sizes:
            found.append(play_size(replace(play, n_processes=n_processes, n_learners=n_learners)))
            print(found[-1].row(), flush=True)
    print(summary(found))
    if is_whole:
        write(found, TABLE, PICTURE)
    return 0


def play_size(scenario: Scenario) -> Size:
    """Play one size on a new server."""
    site = Site(scenario.n_processes)
    try:
        visits, _ = asyncio.run(measure(scenario, site, site.url))
        moments = tuple(one["VmHWM"] for one in site.moments())
    finally:
        site.stop()
    return size_of(scenario, visits, moments)


def size_of(scenario: Scenario, visits: Sequence[Visit], memories_mb: tuple[int, ...]) -> Size:
    """Return what the visits of a class met."""
    times = [ms for visit in visits for ms in visit.changes_ms]
    learner_minutes = scenario.n_learners * scenario.seconds / 60
    return Size(
        n_processes=scenario.n_processes,
        n_learners=scenario.n_learners,
        p50_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
        memories_mb=memories_mb,
        kb_a_minute=sum(visit.n_bytes for visit in visits) / learner_minutes / 1000,
        n_troubles=sum(
            len(v.session.errors) + len(v.troubles) + v.session.is_dropped + v.n_lost
            for v in visits
        )
        + sum(not visit.has_progressed for visit in visits),
    )


HEAD = (
    "| processes | learners | p50, ms | p95, ms | memory of each process, MB"
    " | kB received by a learner in a minute | errors, losses and runs that stood still |\n"
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def summary(found: Sequence[Size]) -> str:
    """Say how far each number of processes goes, what a learner takes, and where it was measured.

    "Goes" means as for a class of thirty: p95 within its limit, and no trouble.
    """
    lines = []
    for n_processes in sorted({size.n_processes for size in found}):
        sizes = [size for size in found if size.n_processes == n_processes]
        served = [s.n_learners for s in sizes if s.p95_ms <= MOST_P95_MS and not s.n_troubles]
        named = "One process serves" if n_processes == 1 else f"{n_processes} processes serve"
        goes = f"{max(served)} learners" if served else f"fewer than {sizes[0].n_learners} learners"
        lines.append(f"{named} {goes} with p95 within {MOST_P95_MS:.0f} ms and without a trouble.")
        if len(sizes) > 1:
            slope, at_0 = statistics.linear_regression(
                [size.n_learners for size in sizes], [size.memory_mb for size in sizes]
            )
            lines[-1] += f" Memory: {at_0:,.0f} MB and {slope:.1f} MB for each learner."
    lines.append(f"Measured on {machine()}, which also played the learners.")
    return "\n".join(lines)


def machine() -> str:
    """Return the kind of machine and the version of what serves."""
    file = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", file.read_text()) if file.exists() else None
    kind = f" ({found[1]})" if found else ""
    return f"{os.cpu_count()} cores{kind} with Streamlit {version('streamlit')}"


def write(found: Sequence[Size], table: Path, picture: Path) -> None:
    """Put the table between the marks of a file, and the picture into another.

    Raises ValueError if the file has no marks.
    """
    text = table.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{table} has no place for the table: put {BEGIN!r} and {END!r} into it")
    rows = "\n".join([HEAD, *(size.row() for size in found)])
    link = Path(os.path.relpath(picture, table.parent)).as_posix()
    shown = f"![Waiting time and memory by number of learners]({link})"
    filled = "\n\n".join([begin, rows, summary(found), shown, end])
    table.write_text(f"{before}{filled}{after}", encoding="utf-8")
    picture.write_text(svg(found), encoding="utf-8")


def svg(found: Sequence[Size]) -> str:
    """Return two panels, milliseconds and megabytes by learners, a line for each server."""
    numbers = sorted({size.n_processes for size in found})
    names = ["1 process" if n == 1 else f"{n} processes" for n in numbers]
    titles = {
        "from a change to its finished page, ms (p95)": "p95_ms",
        "memory of all processes, MB": "memory_mb",
    }
    panels = {title: _panel(found, numbers, name, title) for title, name in titles.items()}
    return curves_file(panels, names)


def _panel(found: Sequence[Size], numbers: Sequence[int], name: str, title: str) -> str:
    values = [getattr(size, name) for size in found]
    curves = [
        Curve(
            name="",
            points=[(s.n_learners, getattr(s, name)) for s in found if s.n_processes == n],
            pen=pen,
            dots=True,
        )
        for pen, n in enumerate(numbers)
    ]
    return curves_svg(
        curves,
        last_step=max(size.n_learners for size in found),
        y_range=nice_range(values),
        x_title="learners",
        y_title="",
        alt=f"{title}, by learners",
    )
