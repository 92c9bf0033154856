"""What a server does for itself: it logs its state, and frees memory when nobody is connected.

    every second    which visits are still open; one that was left two minutes ago is closed;
                    memory that was freed goes back to the system while anybody is there
    every 5 seconds what was deleted from rooms is overwritten, if it could not be at once
    every minute    one line in the log while anybody is there, a warning near a limit
    at a visit to
    a fresh server  what many will ask for is worked out in the background
    90 s after the
    last visit was
    closed (210 s
    after its tab)  what the caches hold for each input is forgotten, ended runs but for a few,
                    and the memory goes back to the system

Streamlit itself keeps what a closed tab leaves until somebody else comes, and caches fill up to
their bounds; a server that nobody uses would stay as large as its class was. The log has numbers
only: nothing that a learner typed.
"""

import gc
import inspect
import logging
import math
import os
import platform
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pages.server import VERSION
from pages.server.caches import cache, cache_training
from pages.server.process import log, process_memory
from pages.server.process import visits as streamlit_visits
from pages.server.process.model_choice import allowed_models
from pages.server.process.visits_files import most_bytes_of_all
from pages.server.room import server_rooms
from pages.server.trainer.jobs import trace_of
from pages.server.upkeep import readiness

if TYPE_CHECKING:
    from pages.server.trainer.jobs import ServiceLimits, Standing

logger = logging.getLogger("mlm_app")

LOOK_SECONDS = 1.0
READY_AFTER_SECONDS = 15.0  # the first moments belong to whoever has opened the page
LINE_SECONDS = 60.0  # between two lines in the log
WIPE_SECONDS = 5.0  # writes wait for it: 0.1 s for a file of 4 MB, which is ten large classes
# A short loss of the network brings a visit back as it was; a minute more than phones sleep.
# Streamlit would let go of it after server.disconnectedSessionTTL, which must be longer.
CLOSE_SECONDS = 120.0
QUIET_SECONDS = 90.0  # without any visit until the server lets go, and its runs are dropped
KEPT_WHEN_QUIET = 10_000_000  # bytes of ended runs: whoever reopens a link finds the last ones
NEAR = 0.9  # of a limit
LEAST_FREE = 80_000_000  # bytes of memory or of the disk; below, the operator is warned
MEGABYTE = 1_000_000


@dataclass
class Visits:
    """The visits of this server by their session ids, each with when it was last connected."""

    seen: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    are_watched: bool = False

    def note(self, session_id: str, now: float) -> bool:
        """Note that a page of this visit is drawn; return whether it is the server's first."""
        with self.lock:
            self.seen[session_id] = now
            is_first, self.are_watched = not self.are_watched, True
        return is_first

    def look(self, is_connected: Callable[[str], bool], now: float) -> tuple[int, list[str]]:
        """Return how many are connected, and take out and return whose time is over."""
        with self.lock:
            connected = [one for one in self.seen if is_connected(one)]
            self.seen.update(dict.fromkeys(connected, now))
            over = [one for one, then in self.seen.items() if now - then > CLOSE_SECONDS]
            for one in over:
                del self.seen[one]
        return len(connected), over


_visits = Visits()


def note_visit() -> None:
    """Note that somebody is here; the first one starts the housekeeping.

    A health check has a page drawn for nobody: but for the first page, that is no visit.
    """
    visit = streamlit_visits.current_id()
    if visit is None or (_visits.are_watched and not streamlit_visits.is_connected(visit)):
        return
    if _visits.note(visit, time.monotonic()):
        log.show_log()
        log.limit_log()
        process_memory.take_little()
        begin = threading.Thread(
            target=_keep_house, args=(_visits,), daemon=True, name="housekeeping"
        )
        begin.start()


@dataclass
class _House:
    quiet_since: float
    is_fresh: bool = True  # nothing was used yet, or all was let go
    done_at: dict[str, float] = field(default_factory=dict)  # what is done now and then

    def is_due(self, what: str, seconds: float, now: float) -> bool:
        """Return whether something was done that long ago, or never; if so, note it as done."""
        is_due = now - self.done_at.get(what, -math.inf) >= seconds
        if is_due:
            self.done_at[what] = now
        return is_due


def _keep_house(visits: Visits) -> None:
    cache.warm_up().join()
    logger.info(start_line())
    begun = time.monotonic()
    house = _House(quiet_since=begun, done_at={"line": begun})
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            _look(visits, house, time.monotonic())
        except Exception as error:  # the next round must come
            logger.error("a round of the housekeeping failed\n%s", trace_of(error))


def _look(visits: Visits, house: _House, now: float) -> None:
    n_open, over = visits.look(streamlit_visits.is_connected, now)
    streamlit_visits.close(over)
    if house.is_due("deleted", WIPE_SECONDS, now):
        server_rooms.wipe()
    if house.is_due("rooms", LINE_SECONDS, now):
        server_rooms.end_old_rooms()
    if visits.seen:
        process_memory.give_memory_back()  # 1 to 3 milliseconds of a processor
        if house.is_fresh:
            _begin_to_get_ready()
        house.quiet_since, house.is_fresh = now, False
        if house.is_due("line", LINE_SECONDS, now):
            log.limit_log()  # with the loggers of what was imported since
            tell(n_open, len(visits.seen) - n_open)
    elif not house.is_fresh and now - house.quiet_since > QUIET_SECONDS:
        house.is_fresh = True
        before = process_memory.memory_bytes()
        let_go()
        logger.info(
            "nobody is here: memory %s, was %s", _mb(process_memory.memory_bytes()), _mb(before)
        )


def _begin_to_get_ready() -> None:
    if os.environ.get("MLM_GET_READY") == "no":
        return  # where processor time is dear
    readiness.begin(READY_AFTER_SECONDS)


def let_go() -> None:
    """Forget what was kept for those who have left, and give its memory back."""
    cache_training.training_service().keep_at_most(KEPT_WHEN_QUIET)
    cache_training.forget_class_encoders()
    for one in caches_by_input():
        one.clear()
    readiness.forget()
    gc.unfreeze()  # what was frozen while visits were open is looked through, too
    process_memory.settle()


def caches_by_input() -> Iterator[Any]:
    """Yield the app's caches that keep something for each input; models and locks stay."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pages."):
            for one in list(vars(module).values()):
                is_cache = hasattr(one, "clear") and hasattr(one, "__wrapped__")
                if is_cache and inspect.signature(one.__wrapped__).parameters:
                    yield one


def tell(n_open: int, n_left: int) -> None:
    """Write one line on how the server stands, and a warning for each limit that is near."""
    service = cache_training.training_service()
    standing, memory = service.standing(), process_memory.memory_bytes()
    logger.info(status_line(n_open, n_left, standing, service.limits, memory))
    for warning in warnings_of(standing, service.limits, _free_bytes(), _free_disk()):
        logger.warning(warning)


def start_line() -> str:
    """Return versions, models and limits."""
    limits = cache_training.training_service().limits
    versions = ", ".join(f"{name} {version(name)}" for name in ("streamlit", "torch"))
    return (
        f"started: app {VERSION}, Python {platform.python_version()}, {versions};"
        f" models {', '.join(Path(name).name for name in allowed_models())};"
        f" trainer {limits.most_running} runs at once in {_mb(limits.most_bytes)},"
        f" {_mb(limits.most_kept_bytes)} of ended ones, {limits.most_tickets} tickets;"
        f" files of all visits {_mb(most_bytes_of_all())};"
        f" memory {_mb(process_memory.memory_bytes())}, free {_mb(_free_bytes())}"
    )


def status_line(
    n_open: int, n_left: int, standing: "Standing", limits: "ServiceLimits", memory: int
) -> str:
    """Return visits, runs, line and memory in one line."""
    return (
        f"visits {n_open} open, {n_left} just left;"
        f" runs {standing.n_running} at work, {standing.n_in_line} in line,"
        f" {standing.n_ended} ended, {standing.n_tickets} tickets;"
        f" trainer {_mb(standing.held_bytes)} of {_mb(limits.most_bytes)},"
        f" kept {_mb(standing.kept_bytes)} of {_mb(limits.most_kept_bytes)};"
        f" memory {_mb(memory)}"
    )


def warnings_of(
    standing: "Standing", limits: "ServiceLimits", free: int, free_disk: int
) -> Iterator[str]:
    """Yield a sentence for each limit that is near, with what an operator can do."""
    if free < LEAST_FREE:
        yield f"only {_mb(free)} of memory are free: give this process more, or a second host"
    if free_disk < LEAST_FREE:
        yield (
            f"only {_mb(free_disk)} of disk are free for temporary files: fine-tuning writes 25 MB"
            " a run; make room, or name another folder (TMPDIR)"
        )
    if standing.n_tickets >= NEAR * limits.most_tickets:
        yield (
            f"{standing.n_tickets} of {limits.most_tickets} tickets at the trainer are out:"
            " further runs will be refused; start another process"
        )
    if standing.n_in_line and standing.held_bytes >= NEAR * limits.most_bytes:
        yield f"{standing.n_in_line} runs wait for memory at the trainer: learners wait in line"
    elif standing.n_in_line and standing.n_running >= limits.most_running:
        yield f"{standing.n_in_line} runs wait for their turn: learners wait in line"


def _free_bytes() -> int:
    from mlm_core.encoder.fetching import available_bytes

    return available_bytes()


def _free_disk() -> int:
    """Return what can be written where temporary files go; 0 where no folder can be written."""
    try:
        return shutil.disk_usage(tempfile.gettempdir()).free
    except OSError:
        return 0


def _mb(n_bytes: int) -> str:
    return f"{n_bytes / MEGABYTE:,.0f} MB" if n_bytes < 2**60 else "unknown"
