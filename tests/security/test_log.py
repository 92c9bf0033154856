"""Nothing that a learner typed or sent in a link stands in the server's log.

Every logger is read at level INFO, not only the app's own.
"""

import logging
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
import streamlit

from pages.server.caches import cache
from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from pages.server.link.controls import controls_of
from pages.server.process import log as log_module
from pages.server.process.log import RecordLimit
from pages.server.trainer.jobs import (
    NO_DISK,
    NO_MEMORY,
    UNEXPECTED,
    message_of,
    next_piece,
    trace_of,
)

WORD = "zanzibarine"  # stands in no text of ours
FRAME = read_words("frame")


class Kept(logging.Handler):
    """Keeps what is logged, as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Give what all loggers write from now on, those too that don't pass it on to the root."""
    kept = Kept()
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    apart = [logging.root, *(one for one in loggers if not one.propagate)]
    levels = {one: one.level for one in [*loggers, logging.root]}
    for one in apart:
        one.addHandler(kept)
    for one in levels:
        one.setLevel(min(one.level or logging.INFO, logging.INFO))
    yield kept.lines
    for one, level in levels.items():
        one.setLevel(level)
        one.removeHandler(kept)


@pytest.mark.parametrize("lesson", LESSONS[::4], ids=lambda lesson: lesson.slug)
def test_no_log_has_what_is_typed_into_a_lesson_or_its_link(
    lesson, open_warm_page: Callable, log: list[str]
):
    asked = dict.fromkeys({"model", *controls_of(lesson.slug)}, WORD)
    app = open_warm_page(lesson.file, **asked)
    for field in (*app.text_input, *app.text_area):
        field.set_value(f"The {WORD} saw the bank.")
    app.run()
    assert WORD not in "\n".join(log)


def test_a_page_that_fails_logs_where_and_not_what_was_typed(
    open_page: Callable, log: list[str], monkeypatch: pytest.MonkeyPatch
):
    def fail(model_name: str, text: str, *_: object, **__: object) -> None:
        raise KeyError(text)

    monkeypatch.setattr(cache, "encoding", fail)
    app = open_page("pages/2_attention_mask.py", attention_mask_text=f"The {WORD} sat.")
    assert app.error, "the page says that something unexpected happened"
    written = "\n".join(log)
    assert "a page failed" in written
    assert "test_log.py" in written and "KeyError" in written
    assert WORD not in written


@pytest.mark.parametrize(
    ("error", "version", "said", "logged"),
    [
        (OSError(28, "No space left on device"), "", NO_DISK, "OSError: No space left on device"),
        (OSError(2, "No usable temporary directory found in []"), "", NO_DISK, "No usable temp"),
        (RuntimeError("CPUAllocator: can't allocate memory"), "", NO_MEMORY, "RuntimeError"),
        (OSError(2, "No such file"), "", FRAME.section("unexpected"), "FileNotFoundError"),
        (TypeError(WORD), "1.60.0", "runs Streamlit 1.60.0", "TypeError"),
    ],
    ids=["full disk", "no temporary files", "full memory", "another error", "another Streamlit"],
)
def test_what_is_the_servers_fault_is_said_truly_on_the_page_and_in_the_log(
    error: Exception,
    version: str,
    said: str,
    logged: str,
    open_page: Callable,
    log: list[str],
    monkeypatch: pytest.MonkeyPatch,
):
    def fail(*_: object, **__: object) -> None:
        raise error

    app = open_page("pages/2_attention_mask.py")
    monkeypatch.setattr(cache, "encoding", fail)
    monkeypatch.setattr(streamlit, "__version__", version or streamlit.__version__)
    app.run()
    assert said in app.error[0].value.replace("\\", "") and logged in "\n".join(log)
    assert message_of(error) == (said if said in (NO_DISK, NO_MEMORY) else UNEXPECTED)


def test_a_job_that_fails_logs_where_and_not_what_was_typed(log: list[str]):
    def work() -> Iterator[None]:
        yield
        try:
            raise KeyError(WORD)
        except KeyError as error:
            raise RuntimeError(f"no entry {WORD}") from error

    iterator, *_ = next_piece(None, work)
    _, _, ending, _ = next_piece(iterator, work)
    written = "\n".join(log)
    assert ending == "failed"
    assert "a training job failed" in written
    assert written.index("KeyError") < written.index("and then") < written.index("RuntimeError")
    assert WORD not in written


def test_an_error_that_hides_its_cause_is_told_without_it():
    def hide() -> None:
        try:
            raise KeyError(WORD)
        except KeyError:
            raise ValueError(WORD) from None

    with pytest.raises(ValueError, match=WORD) as raised:
        hide()
    assert "KeyError" not in trace_of(raised.value)
    assert trace_of(raised.value).endswith("ValueError")


def written(logger: logging.Logger, n_times: int, error: Exception | None = None) -> list[str]:
    """Log a record so many times from one place, and return what is written."""
    kept = Kept()
    logger.addHandler(kept)
    for _ in range(n_times):
        logger.error("it failed", exc_info=error)
    logger.removeHandler(kept)
    return kept.lines


@pytest.fixture
def limited() -> logging.Logger:
    """Give a logger with a limit of its own."""
    logger = logging.Logger("limited")
    logger.addFilter(RecordLimit())
    return logger


def raised(kind: type[Exception], text: str = WORD) -> Exception:
    try:
        raise kind(text)
    except kind as error:
        return error


def test_one_place_writes_few_records_a_minute_and_the_next_says_how_many_there_were(
    limited: logging.Logger, monkeypatch: pytest.MonkeyPatch
):
    now = 100.0
    monkeypatch.setattr(log_module, "time", SimpleNamespace(monotonic=lambda: now))
    assert len(written(limited, 1_000)) == log_module.MOST_RECORDS
    assert written(limited, 5) == []
    now += log_module.SECONDS
    (line,) = written(limited, 1)
    left_out = 1_005 - log_module.MOST_RECORDS
    assert line == f"limited it failed ({left_out:,} more like this were left out before)"


def test_another_error_is_written_beside_one_that_is_repeated(limited: logging.Logger):
    written(limited, 100, raised(TypeError))
    (line,) = written(limited, 1, raised(KeyError))
    assert line.endswith("KeyError")


def test_a_trace_is_written_without_the_errors_message(limited: logging.Logger):
    (line,) = written(limited, 1, raised(TypeError))
    assert "test_log.py" in line and line.endswith("TypeError") and WORD not in line


def test_a_record_has_a_longest_text(limited: logging.Logger):
    kept = Kept()
    limited.addHandler(kept)
    limited.warning("no part %s", "x" * 2_000_000)
    (line,) = kept.lines
    assert len(line) < log_module.LONGEST + 50


def test_what_python_prints_of_errors_that_nobody_handles_is_limited_too(
    monkeypatch: pytest.MonkeyPatch, log: list[str]
):
    monkeypatch.setattr(logging.getLogger(log_module.UNRAISABLE), "filters", [RecordLimit()])
    monkeypatch.setattr(log_module.sys, "unraisablehook", sys.__unraisablehook__)
    log_module.limit_log()

    class Broken:
        def __del__(self) -> None:
            raise OSError(WORD)

    for _ in range(100):
        Broken()
    assert len(log) == log_module.MOST_RECORDS
    assert "nobody could handle" in log[0] and "__del__" in log[0] and WORD not in log[0]


def test_every_logger_is_limited_streamlits_own_among_them(monkeypatch: pytest.MonkeyPatch):
    from streamlit.error_util import _LOGGER

    loggers = [
        logging.root,
        _LOGGER,
        logging.getLogger("uvicorn.error"),
        logging.getLogger("mlm_app"),
    ]
    every = [
        one for one in logging.root.manager.loggerDict.values() if isinstance(one, logging.Logger)
    ]
    for one in [logging.root, *every]:
        monkeypatch.setattr(one, "filters", [*one.filters])
    log_module.limit_log()
    log_module.limit_log()
    for one in loggers:
        assert len([each for each in one.filters if isinstance(each, RecordLimit)]) == 1, one.name
