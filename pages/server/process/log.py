"""The server's log: the app's lines are shown, and no visitor can fill it.

A value that no widget of ours sends makes Streamlit write a trace of 13 kB for each message. Here
one place in the code, with one kind of error from one other place, writes a few records a minute;
the next one says how many were left out, and a long one is shortened. A library's trace is
written without the error's message, which may quote what a learner typed.
"""

import logging
import sys
import threading
import time

from pages.server.trainer.jobs import trace_of

MOST_RECORDS = 10  # from one place within the seconds below
SECONDS = 60.0
LONGEST = 4_000  # characters of a record; one may quote what a browser sent, up to 2 MB
UNRAISABLE = "python"  # the logger of errors that Python would print: nobody can handle them
NO_VISIT = "streamlit.runtime.scriptrunner_utils.script_run_context"


def show_log() -> None:
    """Write the app's lines to the server's output, unless its host handles the log."""
    if logging.root.handlers:
        return
    # The thread that loads the model has no session: silence Streamlit's warning of that.
    logging.getLogger(NO_VISIT).setLevel(logging.ERROR)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name in ("mlm_app", "mlm_core", UNRAISABLE):
        ours = logging.getLogger(name)
        if not ours.handlers:
            ours.addHandler(handler)
            ours.setLevel(logging.INFO)


def limit_log() -> None:
    """Limit all loggers of this moment, and what Python prints by itself.

    An import may bring more loggers.
    """
    logging.getLogger(UNRAISABLE)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = log_unraisable
    for one in [logging.root, *logging.root.manager.loggerDict.values()]:
        if isinstance(one, logging.Logger):
            one.addFilter(_limit)


def log_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Log an error in a finalizer or a callback, which Python would print, without any limit."""
    error = unraisable.exc_value
    logging.getLogger(UNRAISABLE).error("an error that nobody could handle", exc_info=error)


class RecordLimit(logging.Filter):
    """Lets a few records of each place in the code pass, and shortens their traces."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        # By place: when its minute began, and the records since. There are only so many places.
        self._seen: dict[tuple, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written; one with an error gets its trace as text."""
        error = record.exc_info[1] if record.exc_info else None
        place, now = (record.pathname, record.lineno, *_raised_at(error)), time.monotonic()
        with self._lock:
            began, n_records = self._seen.get(place, (now, 0))
            n_left_out = 0
            if now - began >= SECONDS:
                began, n_records, n_left_out = now, 0, max(0, n_records - MOST_RECORDS)
            self._seen[place] = began, n_records + 1
        if n_records >= MOST_RECORDS:
            return False
        try:
            text = record.getMessage()
        except Exception:  # a library's call with wrong arguments must not fail here
            text = str(record.msg)
        if n_left_out:
            text += f" ({n_left_out:,} more like this were left out before)"
        # What this app logs with a message quotes nobody, and its operator needs it.
        if error is not None and not record.name.startswith("mlm_"):
            text += f"\n{trace_of(error)}"
            record.exc_info = record.exc_text = None
        if len(text) > LONGEST:  # a trace's end says most
            text = f"{text[: LONGEST // 4]} … {text[-LONGEST * 3 // 4 :]}"
        record.msg, record.args = text, ()
        return True


def _raised_at(error: BaseException | None) -> tuple:
    """Return an error's kind and its line in the code; no visitor can choose them."""
    if error is None:
        return ()
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = () if trace is None else (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
    return (type(error).__name__, *line)


_limit = RecordLimit()
