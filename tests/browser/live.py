"""A real server and a real browser, for the browser tests and for bench/."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]

CHROMIUM_OPTIONS = [
    "--no-sandbox",  # containers run tests as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # while a tab is open, the next one has its scripts compiled
]

QUIET_FRAMES, MS_BETWEEN_LOOKS = 6, 16
PATIENCE_MS = 120_000.0  # a page takes a second or two; a cold one on a busy machine took 36

# The page is connected, its run is over, its charts and drawings are drawn (these are unpacked a
# moment after they came), and something of it is there.
FINISHED = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return app && app.getAttribute('data-test-connection-state') === 'CONNECTED'
    && app.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')
    && [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every((chart) =>
      !chart.offsetParent || chart.querySelector('.main-svg'))
    && [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')].every((one) =>
      !one.offsetParent || !one.shadowRoot?.querySelector('.drawing:empty'))
    && document.querySelector('[data-testid=stMain] [data-testid=stElementContainer]');
}"""

# A run may start another, so a page has to stay finished. Looking at every frame sees a short
# run, too, and frames are what a page on a busy machine has fewer of in the same time. Until the
# page is finished no frame is asked for.
_STAYS_FINISHED = f"""([quietMs, wait]) => {{
  const now = performance.now();
  if (window.lastWait !== wait || !({FINISHED})()) {{
    window.lastWait = wait;
    window.finishedSince = now;
    window.framesSince = 0;
    return false;
  }}
  window.askedFrame ||= requestAnimationFrame(() => {{
    window.askedFrame = 0;
    window.framesSince += 1;
  }});
  return now - window.finishedSince > quietMs && window.framesSince > {QUIET_FRAMES};
}}"""
_numbers_of_waits = itertools.count()
_STATE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const count = (selector) => document.querySelectorAll(selector).length;
  return app && `${app.getAttribute('data-test-connection-state')}, `
    + `${app.getAttribute('data-test-script-state')}, `
    + `${count('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')} skeletons, `
    + `${count('[data-testid=stMain] [data-testid=stElementContainer]')} elements`;
}"""


def launch_chromium(playwright):
    """Start the Chromium of $CHROMIUM, else Debian's, else Playwright's own.

    The shell is Chromium without windows, which takes a fifth less. Its tabs wait long for a page.
    """
    paths = [os.environ.get("CHROMIUM"), "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
    path = next((path for path in paths if path and Path(path).exists()), None)
    chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
    new_context = chromium.new_context

    def new_patient_context(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        return context

    chromium.new_context = new_patient_context
    return chromium


def wait_until_finished(tab, quiet_ms: int = 100) -> None:
    """Wait until a tab's page has run to its end and stays there."""
    from playwright.sync_api import TimeoutError

    try:
        arg = [quiet_ms, next(_numbers_of_waits)]
        tab.wait_for_function(_STAYS_FINISHED, arg=arg, polling=MS_BETWEEN_LOOKS)
    except TimeoutError as error:
        raise AssertionError(f"{tab.url} doesn't come to an end: {tab.evaluate(_STATE)}") from error


# Ports are given out once in each process, below those that the system gives to connections: a
# browser's could take one between the question whether it is free and the server's start.
_ports = itertools.count(20_000 + os.getpid() % 40 * 300)


def free_ports(n: int) -> int:
    """Return the first of n ports in a row that nobody listens on."""
    row: list[int] = []
    for port in _ports:
        assert port < 32_500, "no such free ports in a row"
        with socket.socket() as one:
            row = [*row, port] if one.connect_ex(("127.0.0.1", port)) else []
        if len(row) == n:
            return row[0]


def memory_of(pid: int) -> dict[str, int]:
    """Return a process's memory in MB: VmRSS now, VmHWM at its highest."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM")}


class Server:
    """The app under a real Streamlit, on a free port."""

    def __init__(
        self,
        folder: Path,
        app: Path = ROOT / "app.py",
        *,
        port: int | None = None,
        wait: bool = True,
        gets_ready: bool = False,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Start it; what it would work out beforehand only if it `gets_ready`.

        A variable of the `environment` that is "" is left out.
        """
        port = port or free_ports(1)
        self.url = f"http://127.0.0.1:{port}"
        self.log_file, self._modules_file = folder / f"{port}.log", folder / f"{port}.modules"
        options = {
            "server.port": port,
            "server.address": "127.0.0.1",
            "server.headless": "true",
        }
        set_here = {"MLM_GET_READY": "yes" if gets_ready else "no", **environment}
        with self.log_file.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, ROOT / "tests/browser/serve.py", self._modules_file, app]
                + [f"--{name}={value}" for name, value in options.items()],
                cwd=ROOT,
                env={k: v for k, v in (os.environ | set_here).items() if v or k not in environment},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            if wait:
                self.wait_until_healthy()
        except Exception:
            self.stop()
            raise

    def wait_until_healthy(self, seconds: float = 120) -> None:
        """Wait until the server answers; for one that was started without waiting."""
        stop_at = time.monotonic() + seconds
        while time.monotonic() < stop_at and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"the server did not come up:\n{self.log()}")

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def modules(self) -> set[str]:
        """Return the names of all modules the server process has imported by now."""
        self._modules_file.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        stop_at = time.monotonic() + 60
        while not self._modules_file.exists():
            assert time.monotonic() < stop_at, "the server did not answer SIGUSR1 in a minute"
            time.sleep(0.05)
        return set(self._modules_file.read_text().split("\n"))

    def memory(self) -> dict[str, int]:
        """Return the process's memory in MB: VmRSS now, VmHWM at its highest."""
        return memory_of(self.process.pid)

    def processor_seconds(self) -> float:
        """Return what the process has used of processors, for what must hold on a busy machine."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")  # for itself, for its calls

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def draw_over(tab, first: str, last: str) -> None:
    """Draw the mouse from the middle of one element to that of another."""
    tab.locator(last).scroll_into_view_if_needed()
    tab.locator(first).scroll_into_view_if_needed()
    start, end = (tab.locator(one).bounding_box() for one in (first, last))
    (x, y), (to_x, to_y) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start, end)
    )
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(to_x, to_y, steps=20)
    tab.mouse.up()


# Our drawings stand in shadow roots, which innerText leaves out.
DRAWINGS = """() => [...document.querySelectorAll('[data-testid=stMain] *')]
  .filter(element => element.shadowRoot)
  .map(element => element.shadowRoot.querySelector('.drawing')?.innerHTML ?? '')"""

# Drawings and the words of charts, which appear a moment after the page's run.
FIGURES = f"""() => [...({DRAWINGS})(),
  ...[...document.querySelectorAll('.stPlotlyChart text')].map(text => text.textContent)]"""


def view_of(tab) -> dict[str, object]:
    """Return what a page shows: its words with those in fields, and its drawings."""
    fields = tab.locator("[data-testid=stMain] :is(input, textarea)")
    return {
        "text": tab.inner_text("[data-testid=stMain]"),
        "fields": fields.evaluate_all("all => all.map(one => one.value)"),
        "drawings": tab.evaluate(DRAWINGS),
    }


def troubles_of(tab, apology: str) -> list[str]:
    """Say what a page shows that it must not; none if all is well."""
    troubles = []
    if tab.locator("[data-testid=stException]").count():
        troubles.append("an exception: " + tab.inner_text("[data-testid=stException]"))
    if tab.get_by_text(apology[:60]).count():
        troubles.append("the apology for the unexpected")
    if tab.evaluate("() => window.hostile"):
        troubles.append("a script that a learner typed has run")
    return troubles
