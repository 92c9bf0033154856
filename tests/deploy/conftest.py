"""What the tests of deploy/ share: nginx, and the app in two processes behind it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.live import ROOT, free_ports

UNPACKED = Path(sys.prefix) / "nginx/usr/sbin/nginx"  # by unpack_server.sh


@dataclass(frozen=True, kw_only=True)
class Site:
    """The app behind nginx."""

    url: str
    first_port: int  # of the two processes
    folder: Path  # where nginx has its settings and its log
    log_file: Path  # what the processes and nginx say
    process: subprocess.Popen

    def served(self) -> list[str]:
        """Return the lines of nginx's log, and of the one before it, but none half written."""
        files = [self.folder / name for name in ("access.log.1", "access.log")]
        return [line for one in files if one.exists() for line in one.read_text().split("\n")[:-1]]

    def n_up(self) -> int:
        """Return how many of the two processes take connections."""
        n = 0
        for port in (self.first_port, self.first_port + 1):
            with socket.socket() as one:
                n += one.connect_ex(("127.0.0.1", port)) == 0
        return n


@pytest.fixture(scope="session")
def nginx() -> str:
    """Give the path of nginx.

    `make test` unpacks Debian's, so on Debian and Ubuntu a missing one is a failure.
    """
    named = [os.environ.get("NGINX_PROGRAM"), shutil.which("nginx"), "/usr/sbin/nginx", UNPACKED]
    path = next((str(path) for path in named if path and Path(path).exists()), None)
    if path is None and shutil.which("apt-get"):
        pytest.fail(f"no nginx: run `sh tests/deploy/unpack_server.sh nginx {UNPACKED.parents[2]}`")
    if path is None:
        pytest.skip("no nginx here, and `make test` can bring only Debian's and Ubuntu's")
    return path


@pytest.fixture(scope="module")
def new_site(nginx: str, tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """Give what serves the app by deploy/serve.sh, for a `with` statement."""

    @contextmanager
    def start(**environment: str) -> Iterator[Site]:
        folder, first = tmp_path_factory.mktemp("site"), free_ports(3)
        log_file = folder / "serve.log"
        settings = {
            "PORT": str(first),
            "FIRST_PORT": str(first + 1),
            "RUN_FOLDER": str(folder),
            "PYTHON": sys.executable,
            "NGINX_PROGRAM": nginx,
            "OMP_NUM_THREADS": "1",
            "MLM_GET_READY": "no",
            **environment,
        }
        with log_file.open("w") as log:
            process = subprocess.Popen(
                ["sh", ROOT / "deploy/serve.sh"],
                env=os.environ | settings,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        site = Site(
            url=f"http://127.0.0.1:{first}",
            first_port=first + 1,
            folder=folder,
            log_file=log_file,
            process=process,
        )
        try:
            wait_until(lambda: "processes at" in log_file.read_text(), site)
            yield site
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # all that it started, whatever hangs
                raise

    return start


def wait_until(is_so: Callable[[], bool], site: Site, seconds: float = 60.0) -> None:
    """Wait until something is so; fail with the log if it doesn't become so."""
    stop_at = time.monotonic() + seconds
    while not is_so():
        is_over = time.monotonic() > stop_at or site.process.poll() is not None
        assert not is_over, f"it did not become so:\n{site.log_file.read_text()}"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def site(new_site: Callable) -> Iterator[Site]:
    """Give one site for all tests of a module; told to end, it must leave nothing behind.

    A site takes six seconds of a processor to start, so none is started for its end alone.
    """
    with new_site(MLM_MODELS="") as one:
        assert one.n_up() == 2
        yield one
    assert one.process.returncode == 0
    # A process that came back is told to end, too, but nobody waits for it.
    stop_at = time.monotonic() + 30.0
    while one.n_up() and time.monotonic() < stop_at:
        time.sleep(0.1)
    assert one.n_up() == 0
