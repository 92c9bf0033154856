"""From starting the server to a first lesson in Chromium, against `streamlit hello`."""

import tempfile
import time
from pathlib import Path

from bench.run import Comparison

AIM = "at most 2 x"


def measure(repetitions: int) -> list[Comparison]:
    """Return the times to the page's heading and to the end of its first run."""
    import streamlit.hello
    from playwright.sync_api import sync_playwright

    from tests.browser.live import ROOT, launch_chromium

    hello = Path(streamlit.hello.__file__).parent / "streamlit_app.py"
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        for _ in range(repetitions + 1):
            ours.append(_one_start(browser, Path(name), ROOT / "app.py", "/attention_mask"))
            theirs.append(_one_start(browser, Path(name), hello, "/"))
        browser.close()
    return [
        Comparison(
            what=what,
            ours=[times[mark] for times in ours[1:]],  # the first start fills the disk cache
            theirs=[times[mark] for times in theirs[1:]],
            than="streamlit hello",
            aim=AIM,
        )
        for mark, what in enumerate(
            ("server start to a lesson's heading", "server start to a lesson with its figure")
        )
    ]


def _one_start(browser, folder: Path, app: Path, path: str) -> tuple[float, float]:
    from tests.browser.live import FINISHED, Server

    started = time.perf_counter()
    server = Server(folder, app)
    try:
        context = browser.new_context(base_url=server.url)
        tab = context.new_page()
        tab.goto(path, wait_until="commit")
        tab.locator("[data-testid=stMain] h1").first.wait_for()
        heading = 1000 * (time.perf_counter() - started)
        tab.wait_for_function(FINISHED)
        finished = 1000 * (time.perf_counter() - started)
        context.close()
    finally:
        server.stop()
    return heading, finished
