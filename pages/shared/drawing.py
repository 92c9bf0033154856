"""Whether a page is being drawn this moment, for any visitor: longer work asks, and gives way.

A page takes some ten milliseconds and somebody waits for it; a training step can wait.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0  # pages may leave no gap
GLANCE_SECONDS = 0.02

_lock = threading.Lock()
_n_pages = 0  # being drawn now, by all threads of the server together


@contextmanager
def noted() -> Iterator[None]:
    """Count one page, or a part of one, as being drawn."""
    global _n_pages
    with _lock:
        _n_pages += 1
    try:
        yield
    finally:
        with _lock:
            _n_pages -= 1


def goes_on() -> bool:
    """Return whether any page is being drawn."""
    return _n_pages > 0


def let_pass() -> None:
    """Wait while a page is being drawn, but not for ever."""
    stop_at = time.monotonic() + PATIENCE_SECONDS
    while goes_on() and time.monotonic() < stop_at:
        time.sleep(GLANCE_SECONDS)
