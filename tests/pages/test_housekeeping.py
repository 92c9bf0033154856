"""Housekeeping: whose visit is over, what is forgotten when all have left, what the log says."""

import gc
import logging
import sys
import threading
import time
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from unittest import mock

import pytest

from pages.lessons.masking import computed as masking_computed
from pages.server.caches import cache, cache_training
from pages.server.process import log, process_memory
from pages.server.trainer.jobs import ServiceLimits, Standing
from pages.server.upkeep import housekeeping, readiness
from pages.server.upkeep.housekeeping import CLOSE_SECONDS, Visits
from tests.waiting import wait_until

LIMITS = ServiceLimits()


def test_a_visit_that_lost_its_connection_is_closed_after_a_while_and_not_before():
    visits = Visits()
    assert visits.note("a", 0.0) is True  # the server's first page
    assert visits.note("b", 0.0) is False
    connected = {"a", "b"}
    assert visits.look(connected.__contains__, 10.0) == (2, [])
    connected.remove("a")
    assert visits.look(connected.__contains__, 10.0 + CLOSE_SECONDS) == (1, [])
    connected.add("a")  # the network is back
    assert visits.look(connected.__contains__, 11.0 + CLOSE_SECONDS) == (2, [])
    connected.clear()
    assert visits.look(connected.__contains__, 11.5 + 2 * CLOSE_SECONDS) == (0, ["a", "b"])
    assert not visits.seen


def test_a_visit_is_closed_before_streamlit_itself_would_let_go_of_it():
    """After that Streamlit answers no more for it, and what it holds would stay."""
    from tests.browser.live import ROOT

    config = (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
    kept = int(config.partition("disconnectedSessionTTL = ")[2].split()[0])
    assert kept > CLOSE_SECONDS + 2 * housekeeping.LOOK_SECONDS


def test_a_page_that_a_health_check_draws_for_nobody_is_a_visit_only_if_it_is_the_first(
    monkeypatch: pytest.MonkeyPatch,
):
    visits, begun = Visits(), []
    monkeypatch.setattr(housekeeping, "_visits", visits)
    monkeypatch.setattr(housekeeping, "log", mock.Mock())
    monkeypatch.setattr(housekeeping.process_memory, "take_little", lambda: None)
    monkeypatch.setattr(housekeeping, "_keep_house", begun.append)
    monkeypatch.setattr(housekeeping.streamlit_visits, "is_connected", "a tab".__eq__)
    for visit in ("nobody", "nobody else", "a tab"):
        monkeypatch.setattr(housekeeping.streamlit_visits, "current_id", lambda one=visit: one)
        housekeeping.note_visit()
    assert list(visits.seen) == ["nobody", "a tab"] and len(begun) == 1


def test_a_process_that_ends_waits_for_the_model_to_be_loaded():
    """Torch aborts the process when it ends while a daemon thread is loading a model."""
    loads = cache.warm_up()
    loads.join()
    assert not loads.daemon


def test_what_was_made_for_an_input_is_forgotten_and_what_is_the_same_for_all_stays():
    sampler = weakref.ref(masking_computed.random_word_sampler("mini-bert", True))
    tokenizer, service = cache.bundled_tokenizer(), cache_training.training_service()
    found = {one.__wrapped__.__name__ for one in housekeeping.caches_by_input()}
    assert {"encoding", "random_word_sampler", "_model_at", "_other_model"} <= found
    assert not found & {"_bundled_model", "warm_up", "training_service", "bundled_tokenizer"}
    assert sampler() is not None
    housekeeping.let_go()
    assert sampler() is None
    assert cache.bundled_tokenizer() is tokenizer
    assert cache_training.training_service() is service


def test_what_was_frozen_while_visits_were_open_is_collected_too():
    class Held:
        """Something in a cycle, as a session's parts are."""

    held = Held()
    held.itself, gone = held, weakref.ref(held)
    gc.freeze()
    del held
    gc.collect()
    assert gone() is not None, "frozen, so no round of the collector sees it"
    housekeeping.let_go()
    assert gone() is None


def test_ended_runs_but_for_the_last_are_forgotten():
    service = cache_training.training_service()
    most = housekeeping.KEPT_WHEN_QUIET
    for number in range(3):
        ticket = service.start(("kept", number), lambda: iter([None]), kept=most // 2)
        wait_until(lambda ticket=ticket: service.look(ticket).status == "finished")
    housekeeping.let_go()
    assert service.standing().kept_bytes <= most


def test_the_line_in_the_log_says_visits_runs_trainer_and_memory():
    standing = Standing(
        n_running=3,
        n_in_line=2,
        n_ended=7,
        n_tickets=14,
        held_bytes=120_000_000,
        kept_bytes=31_000_000,
    )
    assert housekeeping.status_line(28, 2, standing, LIMITS, 540_000_000) == (
        "visits 28 open, 2 just left; runs 3 at work, 2 in line, 7 ended, 14 tickets;"
        " trainer 120 MB of 300 MB, kept 31 MB of 100 MB; memory 540 MB"
    )


@pytest.mark.parametrize(
    ("standing", "free", "disk", "said"),
    [
        (Standing(), 70_000_000, 10**10, "only 70 MB of memory are free"),
        (Standing(), 10**10, 60_000_000, "only 60 MB of disk are free"),
        (Standing(n_tickets=370), 10**10, 10**10, "370 of 400 tickets"),
        (Standing(n_in_line=2, held_bytes=270_000_000), 10**10, 10**10, "2 runs wait for memory"),
        (Standing(n_in_line=4, n_running=20), 10**10, 10**10, "4 runs wait for their turn"),
    ],
)
def test_an_operator_is_warned_near_each_limit(standing: Standing, free: int, disk: int, said: str):
    warnings = list(housekeeping.warnings_of(standing, LIMITS, free, disk))
    assert len(warnings) == 1 and warnings[0].startswith(said)


def test_the_apps_lines_are_shown_once_and_a_hosts_own_way_is_left_alone(monkeypatch):
    ours = logging.getLogger("mlm_app")
    monkeypatch.setattr(ours, "handlers", [])
    monkeypatch.setattr(logging.root, "handlers", [logging.NullHandler()])
    log.show_log()
    assert not ours.handlers
    monkeypatch.setattr(logging.root, "handlers", [])
    for name in ("mlm_core", log.NO_VISIT):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [])
        monkeypatch.setattr(logger, "level", logger.level)
    monkeypatch.setattr(ours, "level", ours.level)
    log.show_log()
    log.show_log()
    assert len(ours.handlers) == 1 and ours.handlers[0].stream is sys.stderr


def a_clock(sleep: Callable[[float], None]) -> SimpleNamespace:
    """Give the housekeeping a time of its own; other threads of this process keep theirs."""
    clock = SimpleNamespace(now=0.0, sleep=sleep)
    clock.monotonic = lambda: clock.now
    return clock


def test_a_fresh_server_gets_ready_at_its_first_visit_and_again_after_it_has_let_go(monkeypatch):
    """Each look has its moment, and whether somebody is there."""
    quiet = CLOSE_SECONDS + housekeeping.QUIET_SECONDS
    looks = [(0.0, False), (15.0, True), (30.0, True), (60.0 + quiet, False), (900.0, True)]
    visits, events = Visits(), []

    def next_look(_seconds: float) -> None:
        if not looks:
            raise InterruptedError
        clock.now, is_there = looks.pop(0)
        events.append(clock.now)
        visits.seen.clear()
        if is_there:
            visits.note("a", clock.now)

    def wait_for_it(thread: threading.Thread) -> None:
        start(thread)
        thread.join()

    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", wait_for_it)
    monkeypatch.setattr(housekeeping, "READY_AFTER_SECONDS", 0.0)
    monkeypatch.delenv("MLM_GET_READY", raising=False)
    monkeypatch.setattr(readiness, "get_ready", lambda: events.append("ready"))
    monkeypatch.setattr(housekeeping, "let_go", lambda: events.append("let go"))
    clock = a_clock(next_look)
    monkeypatch.setattr(housekeeping, "time", clock)
    monkeypatch.setattr(housekeeping, "streamlit_visits", mock.Mock())
    with pytest.raises(InterruptedError):
        housekeeping._keep_house(visits)
    gone = 60.0 + quiet
    assert events == [0.0, 15.0, "ready", 30.0, gone, "let go", 900.0, "ready"]


def test_visits_and_rooms_are_looked_at_and_freed_memory_goes_back_each_second(monkeypatch):
    visits = Visits()
    times = iter(range(21))

    def next_look(_seconds: float) -> None:
        clock.now = next(times, None)
        if clock.now is None:
            raise InterruptedError
        visits.note("a", clock.now)

    monkeypatch.setattr(cache, "warm_up", mock.Mock())
    monkeypatch.setattr(housekeeping, "_begin_to_get_ready", mock.Mock())
    clock = a_clock(next_look)
    monkeypatch.setattr(housekeeping, "time", clock)
    streamlit_visits = mock.Mock()
    monkeypatch.setattr(housekeeping, "streamlit_visits", streamlit_visits)
    rooms = mock.Mock()
    monkeypatch.setattr(housekeeping, "server_rooms", rooms)
    memory = mock.Mock(memory_bytes=process_memory.memory_bytes)
    monkeypatch.setattr(housekeeping, "process_memory", memory)
    with pytest.raises(InterruptedError):
        housekeeping._keep_house(visits)
    assert memory.give_memory_back.call_count == 21
    assert streamlit_visits.is_connected.call_count == 21
    assert rooms.wipe.call_count == 1 + 20 // housekeeping.WIPE_SECONDS


def test_an_operator_can_do_without_getting_ready(monkeypatch):
    begun = []
    monkeypatch.setattr(housekeeping, "READY_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(readiness, "get_ready", lambda: begun.append(1))
    monkeypatch.setenv("MLM_GET_READY", "no")
    assert housekeeping._begin_to_get_ready() is None
    time.sleep(0.1)
    assert not begun
