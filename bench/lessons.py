"""Each lesson's first paint in Chromium on a warm server, beside `streamlit hello`'s page.

Counted is the time until the whole page stands there, its first figure included, in a profile
that has Streamlit's scripts already and on a server where each lesson was opened once.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.comparison import Comparison

REPETITIONS_A_ROUND = 4  # one round opens all lessons, so fewer of them are enough
AIM = "under 2,000 ms"


def measure(repetitions: int) -> Iterator[Comparison]:
    """Yield the times of every lesson, beside hello's in the same rounds."""
    import streamlit.hello
    from playwright.sync_api import sync_playwright

    from pages.server.course.lessons import LESSONS
    from tests.browser.live import ROOT, Server, launch_chromium

    hello = Path(streamlit.hello.__file__).parent / "streamlit_app.py"
    times: dict[str, list[float]] = {lesson.slug: [] for lesson in LESSONS}
    theirs = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        servers = [Server(Path(name), app) for app in (ROOT / "app.py", hello)]
        try:
            ours_tab, their_tab = (
                browser.new_context(base_url=server.url).new_page() for server in servers
            )
            for round_ in range(max(2, repetitions // REPETITIONS_A_ROUND) + 1):
                taken = {slug: _opened_in(ours_tab, f"/{slug}") for slug in times}
                their_time = _opened_in(their_tab, "/")
                if round_:  # the first round warms both servers up
                    theirs.append(their_time)
                    for slug, milliseconds in taken.items():
                        times[slug].append(milliseconds)
        finally:
            for server in servers:
                server.stop()
            browser.close()
    for slug, ours in times.items():
        what = f"{slug.replace('_', ' ')}, first paint, warm"
        yield Comparison(what=what, ours=ours, theirs=theirs, than="streamlit hello", aim=AIM)


def _opened_in(tab, path: str) -> float:
    from tests.browser.live import FINISHED

    tab.goto("about:blank")
    started = time.perf_counter()
    tab.goto(path, wait_until="commit")
    tab.wait_for_function(FINISHED)
    return 1000 * (time.perf_counter() - started)
