"""Threads that wait for one another in a test, without a clock, and a clock that a test moves."""

import threading
import time
from collections.abc import Callable

PATIENCE = 60.0  # seconds until a test fails that waits for something


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class CountingLock:
    """A lock that knows how many came to it, those that still wait among them."""

    def __init__(self) -> None:
        self.n_came, self._lock = 0, threading.Lock()

    def acquire(self, timeout: float = -1) -> bool:
        self.n_came += 1
        return self._lock.acquire(timeout=timeout)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def wait_until(is_so: Callable[[], bool], patience: float = PATIENCE) -> None:
    stop_at = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < stop_at
        time.sleep(0.005)


def in_threads(work: Callable[[str], None], n: int) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, args=(f"visit {k}",)) for k in range(n)]
    for one in threads:
        one.start()
    return threads


def wait_for_the_helper() -> None:
    """Wait until the helper process has nothing to do: a page would ask it again and again."""
    from pages.server.process import helper_process

    time.sleep(0.05)  # a work that failed is begun again by the next look at it
    wait_until(lambda: helper_process._n_waiting == 0, 2 * PATIENCE)  # its first fit compiles
