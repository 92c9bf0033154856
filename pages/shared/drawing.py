"""Whether a page is drawn this moment, and which visit has to wait for the others.

A page takes some ten milliseconds and somebody waits for it; a training step can wait, and gives
way. A visit that has its pages drawn without a pause has to wait, too: processor time is counted
by visit, and a visit over its allowance draws when no other such visit does, half of the time at
most. So twenty tabs that never rest take what half a processor gives, and a learner beside them
does not notice. What a person does, a change every few seconds, stays far below.
"""

import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0  # pages may leave no gap
GLANCE_SECONDS = 0.02
ALLOWANCE_SECONDS = 4.0  # of processor time that a visit may use at once
REGAINED = 0.1  # seconds of it that a visit gets back a second; a class of thirty uses 0.02 each
LONGEST_REST = 1.0  # seconds, after a visit over its allowance was drawn

_lock = threading.Lock()
_n_pages = 0  # being drawn now, by all threads of the server together
_used: dict[Hashable, tuple[float, float]] = {}  # seconds a visit has used, and when that was
_over_allowance = threading.Lock()  # held while a visit over its allowance is drawn
_rest_until = 0.0
_here = threading.local()


@contextmanager
def noted(visit: Hashable = None) -> Iterator[None]:
    """Count one page, or a part of one, as being drawn for a visit, when it is its turn."""
    if getattr(_here, "is_drawing", False):
        yield  # a part of a page that is counted already
        return
    if visit is None or used_seconds(visit) <= ALLOWANCE_SECONDS:
        with _counted(visit):
            yield
        return
    global _rest_until
    with _over_allowance:
        time.sleep(max(0.0, _rest_until - time.monotonic()))
        began = time.monotonic()
        try:
            with _counted(visit):
                yield
        finally:
            now = time.monotonic()
            _rest_until = now + min(LONGEST_REST, now - began)


@contextmanager
def _counted(visit: Hashable) -> Iterator[None]:
    global _n_pages
    began, _here.is_drawing = time.thread_time(), True
    with _lock:
        _n_pages += 1
    try:
        yield
    finally:
        _here.is_drawing = False
        with _lock:
            _n_pages -= 1
        if visit is not None:
            _charge(visit, time.thread_time() - began)


def used_seconds(visit: Hashable) -> float:
    """Return the processor time that a visit has used and not yet got back."""
    used, then = _used.get(visit, (0.0, 0.0))
    return max(0.0, used - REGAINED * (time.monotonic() - then))


def _charge(visit: Hashable, seconds: float) -> None:
    with _lock:
        _used[visit] = used_seconds(visit) + seconds, time.monotonic()
        for one in [one for one in _used if not used_seconds(one)]:
            del _used[one]


def goes_on() -> bool:
    """Return whether any page is being drawn."""
    return _n_pages > 0


def let_pass() -> None:
    """Wait while a page is being drawn, but not for ever."""
    stop_at = time.monotonic() + PATIENCE_SECONDS
    while goes_on() and time.monotonic() < stop_at:
        time.sleep(GLANCE_SECONDS)
