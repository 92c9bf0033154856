"""Say whether each fault shows itself in Chromium: `python docs/upstream/see.py`, from the root."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import streamlit
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.live import free_ports, launch_chromium, wait_until_finished


def history(tab: Page) -> tuple[bool, str]:
    """Move the slider five times, and go back once."""
    before = tab.evaluate("history.length")
    for n in range(1, 6):
        tab.get_by_role("slider").press("ArrowRight")
        tab.wait_for_url(f"**n={n}")
    more = tab.evaluate("history.length") - before
    tab.go_back()
    return more == 5, f"{more} entries more; Back leads to {tab.url.rpartition('/')[2]}"


def components(tab: Page) -> tuple[bool, str]:
    """Run the page again, and read how many classes it made."""
    tab.get_by_role("button", name="Run again").click()
    wait_until_finished(tab)
    said = tab.get_by_text("classes more").inner_text()
    return int(said.split()[0]) >= 40, said


def finished(tab: Page) -> tuple[bool, str]:
    """Choose three lines, twenty, three and so on, and count those on the page."""
    n_wrong = 0
    for n in (3, 20) * 10:
        tab.get_by_text(str(n), exact=True).click()
        time.sleep(2)
        n_wrong += tab.get_by_test_id("stText").count() != n
    return n_wrong > 0, f"after {n_wrong} of 20 changes lines of the one before are on the page"


def changes(tab: Page) -> tuple[bool, str]:
    """Press ten times, and count the presses after which the page stays behind."""
    n_lost = 0
    for n in range(1, 11):
        tab.get_by_role("button", name="Press me").click()
        time.sleep(2)
        n_lost += not tab.get_by_text(f"drawn: {n}", exact=True).count()
    return n_lost > 0, f"{n_lost} of 10 presses are not drawn"


def see(browser: Browser, look: Callable[[Page], tuple[bool, str]]) -> None:
    """Serve one program as a user does, without the settings of this app, and look at it."""
    folder, port = Path(__file__).parent, free_ports(1)
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", f"{look.__name__}.py", *options]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, cwd=folder, **silent)
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).read()
                break
            except OSError:
                time.sleep(0.2)
        tab = browser.new_page()
        tab.goto(f"http://127.0.0.1:{port}")
        tab.get_by_test_id("stElementContainer").first.wait_for()
        time.sleep(2)
        is_there, said = look(tab)
        print(f"{look.__name__:<12}{'shows itself' if is_there else 'not seen':<14}{said}")
        tab.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright)
        print("Streamlit", streamlit.__version__, "Chromium", chromium.version)
        for look in (history, components, finished, changes):
            see(chromium, look)
        chromium.close()
