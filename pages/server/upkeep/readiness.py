"""What many will ask for, worked out before they do: the vectors of our own sentences above all.

Whoever opens a lesson on vectors first would wait seconds for them, and a class would wait for
each other. It takes some forty seconds of one processor, in pieces between which pages pass.
Only the bundled model's are made: other models are their learner's own choice. Those of another
language, by the model that reads it, are made when somebody reads it. A server that is stopped
waits for the piece that is being done, since a thread in torch would abort it. The helper process
is started once, too: so a new machine has compiled umap-learn before a map is asked for.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Callable

from pages.server.course.language import FIRST
from pages.server.course.lessons import FAULTS, FOLDERS, SLUGS, computed_of
from pages.server.process import helper_process, page_turns, process_memory

logger = logging.getLogger("mlm_app")

PATIENCE_SECONDS = 5.0  # of a server that is stopped, for the piece that is being done

_server_stops = threading.Event()
_read_in = set[str]()  # the languages beside the first that it is ready for


class _ServerStopsError(Exception):
    """The process ends; what is not worked out yet stays so."""


def begin(delay_seconds: float) -> None:
    """Get ready after a while, in a thread that the end of the process waits for."""
    _begin(delay_seconds, get_ready)


def begin_in(language: str, delay_seconds: float) -> None:
    """Get ready for pages that read another language, once while anybody is there."""
    if os.environ.get("MLM_GET_READY") != "no" and language not in _read_in:
        _read_in.add(language)
        _begin(delay_seconds, lambda: get_ready_in(language))


def _begin(delay_seconds: float, get: Callable[[], None]) -> None:
    def work() -> None:
        if not _server_stops.wait(delay_seconds):
            get()

    thread = threading.Thread(target=work, daemon=True, name="readiness")
    thread.start()
    atexit.register(_stop, thread)


def _stop(thread: threading.Thread) -> None:
    _server_stops.set()
    thread.join(PATIENCE_SECONDS)


def _let_pass() -> None:
    """Let pages pass between two pieces. Raises _ServerStopsError if the process ends."""
    page_turns.let_pass()
    if _server_stops.is_set():
        raise _ServerStopsError


def get_ready() -> None:
    """Work it out, piece after piece, and tell the operator when it is done."""
    begun = time.monotonic()
    helper_process.begin()  # on a new machine it compiles for half a minute, beside all this
    try:
        _let_lessons("get_ready_in", FIRST)
        _let_lessons("get_ready")
    except ValueError:
        logger.exception("not ready for a class")  # each page will say so too
        return
    except _ServerStopsError:
        return
    process_memory.settle()
    seconds, memory = time.monotonic() - begun, process_memory.memory_bytes() / 1_000_000
    logger.info("ready for a class after %.0f s: memory %.0f MB", seconds, memory)


def get_ready_in(language: str) -> None:
    """Work out what the lessons show first where they read another language."""
    try:
        _let_lessons("get_ready_in", language)
    except ValueError:
        logger.exception("not ready for a class")
    except _ServerStopsError:
        return


def forget() -> None:
    """Note that what was made for other languages is forgotten."""
    _read_in.clear()


def _let_lessons(get_ready: str, *language: str) -> None:
    """Call a function of each lesson's computed.py, where there is one."""
    for slug in (slug for slug in SLUGS if slug not in FAULTS):
        try:
            computed = computed_of(slug)
            if hasattr(computed, get_ready):
                getattr(computed, get_ready)(*language, _let_pass)
        except _ServerStopsError:
            raise
        except Exception:
            if slug not in FOLDERS:
                raise
            logger.exception("%s, a lesson from elsewhere, did not get ready", slug)
