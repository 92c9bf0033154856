"""One visitor who tries everything at once against a server on which a class works.

    python -m bench.load.attacker http://127.0.0.1:8501 120 [messages] [texts] [files] [runs]

- `messages`: every hostile message of attacks.py, on one connection for reruns, one for the others;
- `texts`: each text field of each view gets rows of one mark, as long as the field takes;
- `files`: uploads of the largest size, from ever new tabs, under ever new cookies;
- `runs`: many tabs that start one run after another;
- `computing:20`: 20 tabs that let the model read long texts of their own, ever new;
- `reruns:20x5x1`: 20 tabs, each of which asks for its page five times a second with 1 kB.

It runs in a separate process, so that its work doesn't delay the learners' measurements. It ends
after the given time, sends a limited number of files, and attacks only this machine.
Read before this: attacks.py, session.py.
"""

import asyncio
import contextlib
import itertools
import os
import string
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from websockets.exceptions import ConnectionClosed, WebSocketException

from bench.load import attacks
from bench.load.scenario import ATTACKS, OWN_FINE_TUNING, OWN_RUN, Tab
from bench.load.session import RerunLostError, Session, SessionDroppedError
from pages.server.course.lessons import LESSONS
from tests.browser.live import ROOT

NICENESS = 10  # beside a server on the same processors; an attacker has others
SECONDS_TO_END = 30.0
# Rows of these are what a careless regular expression or parser is slow on.
MARKS = (*string.punctuation, "…", "“", "ß", " ", "\n", "\t", "a", "a ", "a. ", "é\u0301", "🙂")
OWN_SENTENCES = 300
LONG_FIELD = 2_000  # characters: fields that take so many get a row of every mark
FILE_BYTES, FILES_A_TAB, MOST_FILES = 4_900_000, 10, 60
RUN_TABS, RUNS_A_TAB = 20, 6


@dataclass
class Report:
    """What the attacker did, and what it was refused."""

    messages: int = 0
    texts: int = 0
    files: int = 0
    files_refused: int = 0
    runs: int = 0
    runs_refused: int = 0
    tabs: int = 0
    tabs_dropped: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in vars(self).items())


async def in_a_process(url: str, seconds: float, kinds: tuple[str, ...]) -> None:
    """Attack from another process, which prints what it did."""
    arguments = ("-m", "bench.load.attacker", url, str(seconds), *kinds)
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=ROOT)
    try:
        await asyncio.wait_for(process.wait(), seconds + SECONDS_TO_END)
    except TimeoutError:
        process.kill()
        await process.wait()


async def attack(url: str, seconds: float, kinds: tuple[str, ...]) -> Report:
    """Attack a server in these ways, all at once, until the time is over.

    Raises ValueError for a server on another machine.
    """
    if urlsplit(url).hostname not in ("127.0.0.1", "localhost"):
        raise ValueError(f"only a server on this machine is attacked, not {url}: use 127.0.0.1")
    report = Report()
    async with asyncio.TaskGroup() as group:
        for kind in kinds:
            name, _, sizes = kind.partition(":")
            numbers = [int(number) for number in sizes.split("x") if number]
            group.create_task(WAYS[name](url, seconds, report, *numbers))
    return report


async def send_messages(url: str, seconds: float, report: Report) -> None:
    """Send every hostile message: reruns on each lesson, the other kinds beside it."""
    others = tuple(kind for kind in attacks.KINDS if kind != "rerun_script")

    async def send(page: str, seconds: float, kinds: tuple[str, ...]) -> None:
        stop_at = time.monotonic() + seconds
        while (left := stop_at - time.monotonic()) > 0:
            # It ends early where the server takes no connection.
            with contextlib.suppress(OSError, WebSocketException, SessionDroppedError):
                report.messages += await attacks.attack(url, seconds=left, page=page, kinds=kinds)
            await asyncio.sleep(0.1)

    async def rerun() -> None:
        for lesson in LESSONS:
            await send(lesson.slug, seconds / len(LESSONS), ("rerun_script",))

    await asyncio.gather(rerun(), send("", seconds, others))


async def type_texts(url: str, seconds: float, report: Report) -> None:
    """Fill every text field of every view, and press what starts from it."""
    marks, views = itertools.cycle(MARKS), itertools.cycle(_views())

    async def type_(tab: Session) -> None:
        for slug, query in views:
            await tab.go_to(slug, query)
            for key in list(tab.widgets()):
                await _fill(tab, key, marks, report)

    await _in_tabs(url, seconds, report, type_)


async def _fill(tab: Session, key: str, marks: Iterator[str], report: Report) -> None:
    """Put rows of marks into a field, if it is one that takes text and is still there."""
    if key not in tab.widgets() or tab.widget(key).kind not in ("text_area", "text_input"):
        return
    longest = tab.widget(key).proto.max_chars or LONG_FIELD
    for mark in MARKS if longest >= LONG_FIELD else (next(marks),):
        if key in tab.widgets():
            await tab.change(key, (mark * longest)[:longest])
            report.texts += 1
        for start in tab.widgets("*_start"):
            await tab.change(start)


def _views(*, of_own_texts: bool = False) -> list[tuple[str, str]]:
    """Return the slug and the link of every view, or of those that take a text of one's own."""
    from tests.security.test_every_input import FILES, views_of

    views = [(slug, view.link) for slug in FILES if slug != "home" for view in views_of(slug)]
    own = [view for view in views if {"own", "paste"} & {*view[1].values()}]
    others = [] if of_own_texts else [view for view in views if view not in own]
    return [(slug, urlencode(link)) for slug, link in own + others]


async def compute(url: str, seconds: float, report: Report, tabs: int = 20) -> None:
    """Let the model read long texts, ever new, in many tabs: as an eager class might."""
    from mlm_core.text.corpora import sentences

    views, rng = itertools.cycle(_views(of_own_texts=True)), Random(1)

    async def type_(tab: Session) -> None:
        for slug, query in views:
            await tab.go_to(slug, query)
            for key, widget in list(tab.widgets().items()):
                if widget.kind == "text_area" and key in tab.widgets():
                    text = "\n".join(rng.sample(sentences("en"), OWN_SENTENCES))
                    await tab.change(key, text[: widget.proto.max_chars or LONG_FIELD])
                    report.texts += 1

    await asyncio.gather(*(_in_tabs(url, seconds, report, type_) for _ in range(tabs)))


async def send_files(url: str, seconds: float, report: Report) -> None:
    """Upload files of the largest size that nobody asked for, from one tab after another."""

    async def send(tab: Session) -> None:
        for _ in range(FILES_A_TAB):
            status = await asyncio.to_thread(_put, url, tab.session_id)
            report.files += 1
            report.files_refused += status != 204
            if report.files >= MOST_FILES:
                await asyncio.sleep(seconds)

    await _in_tabs(url, seconds, report, send)


def _put(url: str, session_id: str) -> int:
    """Upload one file; return the status of the answer."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=20) as answer:
        token = answer.headers["set-cookie"].partition(";")[0]
    head = "--x\r\nContent-Disposition: form-data; name=f; filename=a.txt\r\n\r\n"
    request = urllib.request.Request(
        f"{url}/_stcore/upload_file/{session_id}/{uuid4().hex}",
        data=(head + "." * FILE_BYTES + "\r\n--x--").encode(),
        headers={
            "Cookie": f"{_new_cookie()}; {token}",
            "Content-Type": "multipart/form-data; boundary=x",
            "X-Xsrftoken": token.partition("=")[2],
        },
        method="PUT",
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


async def start_runs(url: str, seconds: float, report: Report) -> None:
    """Start runs of one's own from many tabs, about one a second."""

    def starting(kind: Tab, number: int) -> Callable[[Session], Awaitable[None]]:
        rng = Random(number)

        async def start(tab: Session) -> None:
            await tab.go_to(kind.page, kind.query)
            for _ in range(RUNS_A_TAB):
                for key, widget in tab.widgets(*kind.settings).items():
                    await tab.change(key, widget.another_value(tab.value(key), rng))
                await tab.change(kind.start)
                report.runs += 1
                await asyncio.sleep(RUN_TABS * rng.uniform(0.5, 1.5))
            report.runs_refused += len(tab.refusals)

        return start

    async def start_late(number: int) -> None:
        start = starting((OWN_RUN, OWN_FINE_TUNING)[number % 2], number)
        await asyncio.sleep(min(number, seconds))
        await _in_tabs(url, seconds - number, report, start)

    await asyncio.gather(*(start_late(number) for number in range(RUN_TABS)))


async def ask_for_reruns(
    url: str, seconds: float, report: Report, tabs: int = 20, per_second: int = 5, kb: int = 1
) -> None:
    """Ask for a page again and again, before it was drawn, in many tabs."""

    async def ask(tab: Session) -> None:
        tab.query = "a=" + "x" * (1_000 * kb)
        while True:
            await tab.send_rerun()
            report.messages += 1
            await asyncio.sleep(1 / per_second)

    await asyncio.gather(*(_in_tabs(url, seconds, report, ask) for _ in range(tabs)))


async def _in_tabs(
    url: str, seconds: float, report: Report, do: Callable[[Session], Awaitable[None]]
) -> None:
    """Do something in one tab after another until the time is over."""
    stop_at = time.monotonic() + seconds
    while (left := stop_at - time.monotonic()) > 0:
        tab = Session(url, LESSONS[0].slug, cookie=_new_cookie())
        report.tabs += 1
        try:
            async with asyncio.timeout(left):
                await tab.open()
                await do(tab)
        except (SessionDroppedError, RerunLostError, ConnectionClosed):
            report.tabs_dropped += tab.is_dropped
        except (TimeoutError, KeyError):
            pass  # of the attack; or a widget is not there any more
        finally:
            with contextlib.suppress(OSError):
                await tab.close()
        await asyncio.sleep(0.1)


def _new_cookie() -> str:
    return f"mlm_visit={uuid4().hex}"


WAYS = {
    "messages": send_messages,
    "texts": type_texts,
    "files": send_files,
    "runs": start_runs,
    "computing": compute,
    "reruns": ask_for_reruns,
}


def main(url: str, seconds: str, *kinds: str) -> None:
    """Attack at a low priority, and print what was done."""
    os.nice(NICENESS)
    began = time.monotonic()
    report = asyncio.run(attack(url, float(seconds), kinds or ATTACKS))
    print(f"one visitor in {time.monotonic() - began:.0f} s: {report}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
