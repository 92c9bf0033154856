"""What the server sends to one browser: a lesson's opening, a change in a part, a whole rerun.

Counted are the bytes of the messages before any compression of the connection, which is off by
default. Drawings, and the style they share, are packed by the app, in
pages/server/figures/clickable.py.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random

from bench.comparison import Remark
from bench.load.session import RerunLostError, Session
from bench.load.widgets import Widget

OPENING_LIMIT, PART_LIMIT = 88_000, 30_000  # bytes
TRAINING = ("*_start", "*_start_*", "*_run_*", "*_pause", "*_resume", "*_measure*")
AROUND = ("*_part", "*_part_next")  # what leads to another part
OPENS = ("expandable", "popover")


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What one change made the server send."""

    key: str
    n_bytes: int
    is_of_part: bool  # only the part was run again, not the page
    opens: bool = False  # a table of numbers or the code, and nothing else changed


def measure(repetitions: int) -> Iterator[Remark]:
    """Yield a row a lesson in English, with what its opening takes in German."""
    from pages.server.course.lessons import LESSONS
    from tests.browser.live import Server

    opening, part = f"{OPENING_LIMIT // 1000}", f"{PART_LIMIT // 1000}"
    yield Remark(_columns("kB sent, not compressed", "opening", "German", "page", "part", "table"))
    yield Remark(_columns("  aim: at most", opening, opening, "", part, ""))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            for lesson in LESSONS:
                yield Remark(asyncio.run(_row(server.url, lesson.slug, lesson.parts)))
        finally:
            server.stop()
    yield Remark(
        "  opening: the largest of all its parts' links; page, part, table: the largest change that"
        " runs the whole page again, that runs one part again, that opens numbers or code. The"
        " connection's own compression is off; drawings count as they are sent, packed by the app"
    )


async def _row(url: str, slug: str, parts: tuple[str, ...]) -> str:
    openings: dict[str, list[int]] = {"en": [], "de": []}
    changes: list[Sent] = []
    for part in parts:
        for language, sizes in openings.items():
            session = Session(url, slug, f"lang={language}&{slug}_part={part}")
            await session.open()
            sizes.append(session.n_bytes)
            if language == "en":
                changes += await changes_of(session, session.widgets(f"{slug}_*"))
            await session.close()
    worst = {
        kind: max(found, key=lambda one: one.n_bytes, default=None)
        for kind, found in {
            "page": [one for one in changes if not one.is_of_part],
            "part": [one for one in changes if one.is_of_part and not one.opens],
            "table": [one for one in changes if one.is_of_part and one.opens],
        }.items()
    }
    sizes = [max(openings[language]) for language in openings]
    sizes += [one.n_bytes if one else 0 for one in worst.values()]
    names = ", ".join(one.key.removeprefix(f"{slug}_") for one in worst.values() if one)
    shown = (f"{n_bytes / 1000:.1f}" for n_bytes in sizes)
    return f"{_columns(slug.replace('_', ' '), *shown)}  {names}"


def _columns(name: str, *columns: str) -> str:
    return f"{name:<28}" + "".join(f"{column:>10}" for column in columns)


async def changes_of(session: Session, widgets: dict[str, Widget], most: int = 1000) -> list[Sent]:
    """Change some widgets, one after the other, and return what each change made sent.

    What opens is closed again, so that no change pays for what another had opened.
    """
    rng, done = Random(0), []
    for key in sorted(widgets):
        widget = session.widgets().get(key)
        if len(done) == most:
            break
        if widget is None or not _can_be_changed(widget):
            continue
        value, n_bytes, n_page_runs = session.value(key), session.n_bytes, session.n_page_runs
        try:
            await session.change(key, widget.another_value(value, rng))
        except RerunLostError:
            continue
        n_bytes = session.n_bytes - n_bytes
        is_of_part, opens = session.n_page_runs == n_page_runs, widget.kind in OPENS
        done.append(Sent(key=key, n_bytes=n_bytes, is_of_part=is_of_part, opens=opens))
        if opens and key in session.widgets():
            await session.change(key, value)
    return done


def _can_be_changed(widget: Widget) -> bool:
    is_in_part = bool(widget.fragment_id) and not widget.is_disabled
    return is_in_part and not any(fnmatchcase(widget.key, p) for p in (*TRAINING, *AROUND))
