"""Pages being drawn: who is counted, and which visit has to wait."""

import threading
import time

import pytest

from pages.shared.server import page_turns


@pytest.fixture(autouse=True)
def nobody_has_used_anything(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_turns, "_used", {})
    monkeypatch.setattr(page_turns, "_rest_until", 0.0)


def spend(seconds: float) -> None:
    stop_at = time.thread_time() + seconds
    while time.thread_time() < stop_at:
        pass


def draw_until(event: threading.Event, visit: str, now: set[str], n_at_once: list[int]) -> None:
    while not event.is_set():
        with page_turns.noted(visit):
            now.add(visit)
            n_at_once.append(len(now))
            spend(0.01)
            now.remove(visit)


def test_a_page_and_its_parts_count_once():
    with page_turns.noted("a"):
        assert page_turns.goes_on()
        with page_turns.noted("a"):
            pass
        assert page_turns.goes_on()
    assert not page_turns.goes_on()


def test_processor_time_is_counted_by_visit_and_given_back(monkeypatch: pytest.MonkeyPatch):
    with page_turns.noted("a"):
        spend(0.05)
    assert 0.04 < page_turns.used_seconds("a") and page_turns.used_seconds("b") == 0
    later = time.monotonic() + 60
    monkeypatch.setattr(page_turns.time, "monotonic", lambda: later)
    assert page_turns.used_seconds("a") == 0
    with page_turns.noted("b"):
        pass
    assert "a" not in page_turns._used  # a visit that has gone leaves nothing


def test_visits_over_their_allowance_draw_one_at_a_time_and_the_others_do_not_wait(
    monkeypatch: pytest.MonkeyPatch,
):
    # Twenty tabs that never rest; without turns all twenty would draw at once.
    monkeypatch.setattr(page_turns, "LONGEST_WAIT", 60.0)  # on a busy machine, too
    tabs = [f"tab {i}" for i in range(20)]
    page_turns._used.update(dict.fromkeys(tabs, (100.0, time.monotonic())))
    stop, now, n_at_once = threading.Event(), set(), []
    threads = [
        threading.Thread(target=draw_until, args=(stop, tab, now, n_at_once)) for tab in tabs
    ]
    for thread in threads:
        thread.start()
    give_up_at = time.monotonic() + 30
    while len(n_at_once) < 5 and time.monotonic() < give_up_at:
        with page_turns.noted("learner"):
            time.sleep(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert len(n_at_once) >= 5 and max(n_at_once) == 1


def test_training_gives_way_to_no_visit_over_its_allowance():
    page_turns._used["a"] = (100.0, time.monotonic())
    with page_turns.noted("a"):
        assert not page_turns.goes_on()
        with page_turns.noted("a"):
            assert not page_turns.goes_on()
    with page_turns.noted("b"):
        assert page_turns.goes_on()


def test_what_fails_while_it_waits_for_its_turn_hinders_nobody():
    page_turns._used["a"] = (100.0, time.monotonic())
    with pytest.raises(ValueError, match="no page"), page_turns.noted("a"):
        raise ValueError("no page")
    assert not page_turns.goes_on() and not page_turns._over_allowance.locked()
