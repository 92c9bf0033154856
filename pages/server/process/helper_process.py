"""A process beside the server for what would make the server large: scikit-learn and umap-learn.

    server   Work(function, *arguments) in a cache  ->  helper   imports, computes   ->  result

joblib's loky keeps one worker: it is started by the first work, ends after two minutes without
any, and another one is started when it died. It does not import the main script again, as Python's
own multiprocessing would. A page never waits for it without saying so: it shows what it has and
looks again (../frame/helper_work.py).

The functions stand in mlm_core, on numpy arrays, in modules that import no torch: a second torch
would take 200 MB. Helper with scikit-learn and umap-learn: 340 MB, 440 while it compiles for the
first time on a machine. loky adds two processes that clean up after it, 50 MB together.
"""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

logger = logging.getLogger("mlm_app")

IDLE_SECONDS = 120  # without work until the helper ends
NEEDED_BYTES = 450_000_000  # at its largest, measured
ENVIRONMENT = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
NICENESS = 5  # pages come first: compiling takes ten seconds of a processor
MOST_WAITING = 30  # works; a visitor who asks for ever new maps can't make the line longer
MOST_STARTS = 2  # of one work: once more if the helper dies
REST_SECONDS = 60.0  # until a work that failed so may be tried again
PACKAGES = {"umap": "umap-learn", "sklearn": "scikit-learn", "joblib": "scikit-learn"}

_lock = threading.Lock()
_n_waiting = 0  # works that have not ended
_worked_at = -float(IDLE_SECONDS)  # when the helper last ended a work
_begun_at = -float(IDLE_SECONDS)  # when it was last asked to get ready
_helper: Any = None  # loky's executor
_has_ended = False  # with the server


class HelperDiedError(RuntimeError):
    """The helper ended in the middle of a work, twice."""


class Obstacle(NamedTuple):
    """Why the helper can't be used."""

    kind: Literal["not_installed", "no_memory", "busy", "died"]
    package: str = ""  # that is missing
    free_bytes: int = 0


def obstacle(*modules: str) -> Obstacle | None:
    """Return why these modules can't be used in the helper now, None if they can.

    The one place that decides it. A helper that works has its memory already.
    """
    for module in ("joblib", *modules):
        if find_spec(module) is None:
            return Obstacle("not_installed", package=PACKAGES[module])
    free = free_bytes()
    if free < NEEDED_BYTES and not is_warm():
        return Obstacle("no_memory", free_bytes=free)
    return Obstacle("busy") if _n_waiting >= MOST_WAITING else None


def free_bytes() -> int:
    """Return the memory that this server's host or container has left."""
    from mlm_core.encoder.fetching import available_bytes

    return available_bytes()


def is_warm() -> bool:
    """Return whether the helper has worked a moment ago, so that it answers at once."""
    return time.monotonic() - _worked_at < IDLE_SECONDS


class Work:
    """One call of a function in the helper. Kept in a cache, so that equal inputs are one call."""

    def __init__(self, function: Callable, *arguments: object) -> None:
        self._call, self._n_starts, self._failed_at = (function, arguments), 0, 0.0
        self._lock, self.begun = threading.Lock(), time.monotonic()
        self._start()

    def result(self, patience: float = 0.0) -> Any:
        """Return what the function returned; wait `patience` seconds for it at most.

        Raises TimeoutError if it isn't there by then, HelperDiedError if the helper died twice,
        and what the function raised.
        """
        with self._lock:
            future = self._future
        try:
            return future.result(timeout=patience)
        except BrokenExecutor as error:
            self._start_again(future, error)
            raise TimeoutError from error

    def _start(self) -> None:
        self._n_starts, self._future = self._n_starts + 1, _submit(*self._call)

    def _start_again(self, failed: Future, error: Exception) -> None:
        """Start once more; after a second death only when some time has passed."""
        with self._lock:
            if self._future is not failed:
                return  # another visitor's look has started it
            logger.warning("the helper process died: %s", type(error).__name__)
            if self._n_starts >= MOST_STARTS:
                self._failed_at = self._failed_at or time.monotonic()
                if time.monotonic() - self._failed_at < REST_SECONDS:
                    raise HelperDiedError(type(error).__name__) from error
                self._n_starts, self._failed_at, self.begun = 0, 0.0, time.monotonic()
            self._start()


def begin() -> None:
    """Start the helper before its first work, once in two minutes however often it is called."""
    global _begun_at
    with _lock:
        if is_warm() or time.monotonic() - _begun_at < IDLE_SECONDS:
            return
        _begun_at = time.monotonic()
    if os.environ.get("MLM_GET_READY") == "no" or obstacle("umap", "sklearn"):
        return  # where processor time is dear, or what it would import isn't there
    from mlm_core.embeddings.umap_fit import compile_umap_learn

    _submit(compile_umap_learn)


def end() -> None:
    """End the helper with what it works on, for good; a process that ends would wait for that."""
    global _has_ended
    _has_ended = True
    if _helper is not None:
        _helper.shutdown(kill_workers=True)


def _submit(function: Callable, arguments: tuple = ()) -> Future:
    global _helper, _n_waiting
    from joblib.externals.loky import get_reusable_executor

    with _lock:
        _n_waiting += 1
    try:
        if _has_ended:
            raise RuntimeError("the server ends")
        _helper = helper = get_reusable_executor(
            max_workers=1, timeout=IDLE_SECONDS, env=ENVIRONMENT, initializer=_give_way
        )
        future = helper.submit(function, *arguments)
        # loky looks after the processes that it knew when it heard of the last work: not after
        # the one that this work started, which would die unseen, until it hears of another.
        helper.submit(int)
    except (OSError, RuntimeError) as error:  # it dies this very moment, or can't be started
        future = Future()
        future.set_exception(BrokenExecutor(str(error)))
    future.add_done_callback(_note)
    return future


def _note(future: Future) -> None:
    global _worked_at, _n_waiting
    with _lock:
        _n_waiting -= 1
    if not isinstance(future.exception(), BrokenExecutor):
        _worked_at = time.monotonic()


def _give_way() -> None:
    """Lower the helper's own priority; the first that it does."""
    with contextlib.suppress(OSError, AttributeError):  # another system
        os.nice(NICENESS)
