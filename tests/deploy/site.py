"""The app in several processes behind nginx, as deploy/serve.sh starts it: for tests and bench/."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.browser.live import ROOT, free_ports, memory_of

# By unpack_server.sh.
UNPACKED = Path(sys.prefix) / "nginx/usr/sbin/nginx"
UNPACKED_REDIS = Path(sys.prefix) / "redis"


class Site:
    """The app behind nginx; without root, on free ports."""

    def __init__(self, n_processes: int, folder: Path, **environment: str) -> None:
        """Start it. The folder gets nginx's settings and log, the rooms, and what serve.sh says."""
        first = free_ports(1 + n_processes)
        self.url, self.folder = f"http://127.0.0.1:{first}", folder
        self.ports = range(first + 1, first + 1 + n_processes)
        self.rooms, self._log_file = str(folder / "rooms.db"), folder / "serve.log"
        if environment.get("MLM_ROOMS") == "redis" and (redis := find_redis()):
            self.rooms = f"unix://{folder / 'redis.sock'}"
            environment |= {"REDIS_PROGRAM": redis[0], **redis[1]}
        settings = {
            "PORT": str(first),
            "FIRST_PORT": str(first + 1),
            "PROCESSES": str(n_processes),
            "RUN_FOLDER": str(folder),
            "PYTHON": sys.executable,
            "NGINX_PROGRAM": find_nginx(),
            **environment,
        }
        with self._log_file.open("w") as log:
            self.process = subprocess.Popen(
                ["sh", ROOT / "deploy/serve.sh"],
                env=os.environ | settings,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.wait_until(lambda: "processes at" in self.log(), 120.0)
        except AssertionError:
            self.stop()
            raise

    def wait_until(self, is_so: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until something is so; fail with the log if it doesn't become so."""
        stop_at = time.monotonic() + seconds
        while not is_so():
            is_over = time.monotonic() > stop_at or self.process.poll() is not None
            assert not is_over, f"it did not become so:\n{self.log()}"
            time.sleep(0.1)

    def log(self) -> str:
        """Return what the processes and nginx say."""
        return self._log_file.read_text(errors="replace")

    def served(self) -> list[str]:
        """Return the lines of nginx's log, and of the one before it, but none half written."""
        files = [self.folder / name for name in ("access.log.1", "access.log")]
        return [line for one in files if one.exists() for line in one.read_text().split("\n")[:-1]]

    def n_up(self) -> int:
        """Return how many processes take connections."""
        n = 0
        for port in self.ports:
            with socket.socket() as one:
                n += one.connect_ex(("127.0.0.1", port)) == 0
        return n

    def memory(self) -> dict[str, int]:
        """Return the largest process's memory in MB: VmRSS now, VmHWM at its highest."""
        each = self.moments()
        return {name: max((one[name] for one in each), default=0) for name in ("VmRSS", "VmHWM")}

    def moments(self) -> list[dict[str, int]]:
        """Return each process's memory in MB."""
        found = []
        for port in self.ports:
            for pid in self.pids(port):
                with contextlib.suppress(OSError, KeyError):  # it has just ended
                    found.append(memory_of(pid))
        return found

    def kill(self, port: int) -> None:
        """Kill the process that serves a port, as the system does when memory is full."""
        for pid in self.pids(port):
            os.kill(pid, signal.SIGKILL)

    def restart(self) -> None:
        """Have each process restarted, one after another."""
        self.process.send_signal(signal.SIGUSR1)

    def pids(self, port: int) -> list[int]:
        """Return the processes that serve a port."""
        # Among what this site started, which is a session of its own to the system.
        wanted = ["pgrep", "-s", str(self.process.pid), "-f", f"run app.py --server.port {port}"]
        return [*map(int, subprocess.run(wanted, capture_output=True, text=True).stdout.split())]

    def stop(self) -> None:
        """Tell it to end; what hangs is killed."""
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)  # all that it started
            self.process.wait()


def find_redis() -> tuple[str, dict[str, str]] | None:
    """Return the path of a redis-server and its environment; None if there is none."""
    if installed := shutil.which("redis-server"):
        return installed, {}
    unpacked = UNPACKED_REDIS / "usr/bin/redis-server"
    libraries = ":".join(map(str, UNPACKED_REDIS.glob("usr/lib/*-linux-gnu")))
    return (str(unpacked), {"LD_LIBRARY_PATH": libraries}) if unpacked.exists() else None


def find_nginx() -> str:
    """Return the path of nginx; `make` unpacks Debian's. Raises FileNotFoundError."""
    named = [os.environ.get("NGINX_PROGRAM"), shutil.which("nginx"), "/usr/sbin/nginx", UNPACKED]
    path = next((str(path) for path in named if path and Path(path).exists()), None)
    if path is None:
        command = f"sh tests/deploy/unpack_server.sh nginx {UNPACKED.parents[2]}"
        raise FileNotFoundError(f"no nginx: run `{command}`")
    return path
