"""Nothing that a learner typed or sent in a link stands in the server's log.

Every logger is read at level INFO, not only the app's own.
"""

import logging
from collections.abc import Callable, Iterator

import pytest

from mlm_core.classroom.jobs import next_piece, trace_of
from pages.shared.lessons import LESSONS
from tests.pages.test_hostile_input import keys, type_into_all_fields

WORD = "zanzibarine"  # stands in no text of ours


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


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_log_has_what_is_typed_into_a_lesson_or_its_link(
    lesson, open_warm_page: Callable, log: list[str]
):
    app = open_warm_page(lesson.file)
    assert type_into_all_fields(app, f"The {WORD} saw the bank.")
    app.run()
    open_warm_page(lesson.file, **dict.fromkeys({"model", *keys(app)}, WORD))
    assert WORD not in "\n".join(log)


def test_a_page_that_fails_logs_where_and_not_what_was_typed(
    open_page: Callable, log: list[str], monkeypatch: pytest.MonkeyPatch
):
    from pages.shared import cache

    def fail(model_name: str, text: str, *_: object, **__: object) -> None:
        raise KeyError(text)

    monkeypatch.setattr(cache, "encoding", fail)
    app = open_page("pages/2_attention_mask.py", attention_mask_text=f"The {WORD} sat.")
    assert app.error, "the page says that something unexpected happened"
    written = "\n".join(log)
    assert "a page failed" in written
    assert "test_log.py" in written and "KeyError" in written
    assert WORD not in written


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
