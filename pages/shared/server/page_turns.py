"""Whether a page is drawn this moment, and which visit has to wait for the others.

A page takes some ten milliseconds and somebody waits for it; a training step can wait, and gives
way. A visit that has its pages drawn without a pause has to wait, too: the processor time of its
threads is counted, and visits over their allowance draw one at a time, with a rest as long as the
drawing took; training does not give way to them. So twenty tabs that never rest take half a
processor, and a learner beside them does not notice. A person who changes something every few
seconds stays far below the allowance. After one long computation a visit is over it, and waits
for five seconds at most.
"""

import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext

PATIENCE_SECONDS = 1.0  # pages may leave no gap
GLANCE_SECONDS = 0.02
ALLOWANCE_SECONDS = 4.0  # of processor time that a visit may use at once
REGAINED = 0.1  # seconds of it that a visit gets back a second; a class of thirty uses 0.02 each
LONGEST_REST = 5.0  # seconds, after a visit over its allowance was drawn
LONGEST_WAIT = 5.0  # seconds; then a page is drawn all the same

_lock = threading.Lock()
_n_pages = 0  # being drawn now, of visits within their allowance
_used: dict[Hashable, tuple[float, float]] = {}  # seconds a visit has used, and when that was
_over_allowance = threading.Lock()  # held while a visit over its allowance is drawn
_rest_until = 0.0
_newest: dict[Hashable, object] = {}  # the newest run of a visit that waits
_here = threading.local()


@contextmanager
def noted(visit: Hashable = None) -> Iterator[None]:
    """Count one page, or a part of one, as being drawn for a visit, when it is its turn."""
    if getattr(_here, "is_drawing", False):
        yield  # a part of a page that is counted already
        return
    is_over = visit is not None and used_seconds(visit) > ALLOWANCE_SECONDS
    with _turn(visit) if is_over else nullcontext(), _counted(visit, 0 if is_over else 1):
        yield


@contextmanager
def _turn(visit: Hashable) -> Iterator[None]:
    """Wait until no other visit over its allowance is drawn or rests, but not for ever."""
    global _rest_until
    mine = _newest[visit] = object()
    stop_at = time.monotonic() + LONGEST_WAIT
    has_turn = False
    # Of the runs of one visit only the newest waits: Streamlit stops the others when they go on.
    while not has_turn and time.monotonic() < stop_at and _newest.get(visit) is mine:
        has_turn = time.monotonic() >= _rest_until and _over_allowance.acquire(blocking=False)
        if not has_turn:
            time.sleep(GLANCE_SECONDS)
    if _newest.get(visit) is mine:
        del _newest[visit]
    began = time.monotonic()
    try:
        yield
    finally:
        if has_turn:
            now = time.monotonic()
            _rest_until = now + min(LONGEST_REST, now - began)
            _over_allowance.release()


@contextmanager
def _counted(visit: Hashable, n_pages: int) -> Iterator[None]:
    global _n_pages
    began, _here.is_drawing = time.thread_time(), True
    with _lock:
        _n_pages += n_pages
    try:
        yield
    finally:
        _here.is_drawing = False
        with _lock:
            _n_pages -= n_pages
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
    """Return whether a page is being drawn that has precedence over all other work."""
    return _n_pages > 0


def let_pass() -> None:
    """Wait while a page is being drawn, but not for ever."""
    stop_at = time.monotonic() + PATIENCE_SECONDS
    while goes_on() and time.monotonic() < stop_at:
        time.sleep(GLANCE_SECONDS)
