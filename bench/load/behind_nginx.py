"""Several processes of the app behind nginx, as deploy/serve.sh starts them, for a load test."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.live import ROOT, memory_of

UNPACKED = Path(sys.prefix) / "nginx/usr/sbin/nginx"  # by tests/deploy/unpack_server.sh
PATIENCE = 120.0  # seconds until all processes answer


class Site:
    """The app in several processes at one address; without root, on ports of its own."""

    def __init__(self, n_processes: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._log_file = Path(self._folder.name) / "serve.log"
        first = 20_000 + os.getpid() % 1_000 * 10
        self.url = f"http://127.0.0.1:{first}"
        settings = {
            "PORT": str(first),
            "FIRST_PORT": str(first + 1),
            "PROCESSES": str(n_processes),
            "RUN_FOLDER": self._folder.name,
            "PYTHON": sys.executable,
            "NGINX_PROGRAM": find_nginx(),
        }
        with self._log_file.open("w") as log:
            self.process = subprocess.Popen(
                ["sh", ROOT / "deploy/serve.sh"],
                env=os.environ | settings,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        stop_at = time.monotonic() + PATIENCE
        while "processes at" not in self.log():
            if time.monotonic() > stop_at or self.process.poll() is not None:
                said = self.log()
                self.stop()
                raise AssertionError(f"the processes did not come up:\n{said}")
            time.sleep(0.2)

    @property
    def rooms(self) -> Path:
        """Return the file of the rooms, which all processes share."""
        return Path(self._folder.name) / "rooms.db"

    def log(self) -> str:
        return self._log_file.read_text(errors="replace")

    def memory(self) -> dict[str, int]:
        """Return the largest process's memory in MB: VmRSS now, VmHWM at its highest."""
        each = self.moments()
        return {name: max((one[name] for one in each), default=0) for name in ("VmRSS", "VmHWM")}

    def moments(self) -> list[dict[str, int]]:
        """Return each process's memory in MB."""
        found = []
        for pid in self._pids():
            with contextlib.suppress(OSError, KeyError):  # it has just ended
                found.append(memory_of(int(pid)))
        return found

    def kill_one(self) -> None:
        """End one process of the app without a warning; deploy/serve.sh starts another."""
        os.kill(int(self._pids()[0]), signal.SIGKILL)

    def _pids(self) -> list[str]:
        wanted = ["pgrep", "-s", str(self.process.pid), "-f", "streamlit run app.py"]
        return subprocess.run(wanted, capture_output=True, text=True).stdout.split()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)  # all that it started, whatever hangs
            self.process.wait()
        self._folder.cleanup()


def find_nginx() -> str:
    """Return the path of nginx; `make load` unpacks Debian's where there is none."""
    named = [os.environ.get("NGINX_PROGRAM"), shutil.which("nginx"), "/usr/sbin/nginx", UNPACKED]
    path = next((str(path) for path in named if path and Path(path).exists()), None)
    if path is None:
        sys.exit(f"no nginx: run `sh tests/deploy/unpack_server.sh nginx {UNPACKED.parents[2]}`")
    return path
