"""Pages being drawn: how many at once, who goes first, and when training gives way."""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import pytest

from pages.server.process import page_turns, visits
from pages.server.process.page_turns import (
    BURST,
    KEPT_SECONDS,
    LARGE_PLACES,
    LARGE_SECONDS,
    LONG_SECONDS,
    LONGEST_WAIT,
    PLACES,
    REST_TIMES,
    SEND_SECONDS,
    LongWork,
    Turns,
)
from tests.waiting import PATIENCE, Clock, wait_until


class Drawing:
    """A page that is drawn by a thread of its own until it is told to end."""

    def __init__(self, turns: Turns, visit: Hashable, begun: list[Hashable]) -> None:
        self._has_begun, self._ends = threading.Event(), threading.Event()
        self._draw = (turns, visit, begun)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        turns, visit, begun = self._draw
        with turns.turn(visit):
            begun.append(visit)
            self._has_begun.set()
            self._ends.wait(PATIENCE)

    def begins(self) -> bool:
        return self._has_begun.wait(PATIENCE)

    def has_begun(self) -> bool:
        return self._has_begun.is_set()

    def end(self) -> None:
        self._ends.set()
        self._thread.join(PATIENCE)


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


@pytest.fixture
def turns(clock: Clock) -> Turns:
    return Turns(clock)


@pytest.fixture
def begun() -> list[Hashable]:
    """Which visits' pages have begun, in their order."""
    return []


@pytest.fixture
def draw(turns: Turns, begun: list[Hashable]) -> Iterator[Callable[[Hashable], Drawing]]:
    drawings = []

    def begin(visit: Hashable) -> Drawing:
        drawings.append(Drawing(turns, visit, begun))
        return drawings[-1]

    yield begin
    for drawing in drawings:
        drawing.end()


@contextmanager
def all_places_taken(draw: Callable[[Hashable], Drawing]) -> Iterator[list[Drawing]]:
    drawings = [draw(f"first {number}") for number in range(PLACES)]
    assert all(drawing.begins() for drawing in drawings)
    yield drawings


def wait_for(turns: Turns, n_waiting: int) -> None:
    """Wait until so many pages wait for a place."""
    wait_until(lambda: len(turns._waiting) == n_waiting)


def charge(turns: Turns, visit: Hashable, n_requests: int) -> None:
    for _ in range(n_requests):
        turns.count_request(visit)
    turns.count_sent(visit)


def test_no_more_pages_than_places_are_drawn_at_once(turns, draw):
    with all_places_taken(draw) as drawings:
        last = draw("last")
        wait_for(turns, 1)
        assert not last.has_begun()
        drawings[0].end()
        assert last.begins()


def test_of_those_that_wait_the_visit_goes_first_that_took_least(turns, draw, begun):
    charge(turns, "asks without rest", 50)
    charge(turns, "learner", 3)
    with all_places_taken(draw) as drawings:
        waiting = [draw("asks without rest"), draw("learner")]
        wait_for(turns, 2)
        drawings[0].end()
        assert waiting[1].begins() and not waiting[0].has_begun()
        waiting[1].end()
        assert waiting[0].begins()
    assert begun[PLACES:] == ["learner", "asks without rest"]


@pytest.mark.parametrize(
    ("waited", "order"),
    [
        (0.0, ["learner", "computes without rest", None]),
        (LONGEST_WAIT, ["computes without rest", "learner", None]),
    ],
)
def test_long_work_goes_to_who_took_least_or_waited_long_and_last_to_no_visit(
    turns, clock, begun, waited: float, order: list[Hashable]
):
    visits = threading.local()
    lock = LongWork(lambda: visits.name, turns.taken, clock)
    charge(turns, "computes without rest", 50)
    charge(turns, "learner", 3)

    def work(visit: Hashable) -> None:
        visits.name = visit
        with lock:
            begun.append(visit)

    visits.name = "the first"
    with lock:
        threads = []
        for n_waiting, visit in enumerate((None, "computes without rest", "learner"), 1):
            threads.append(threading.Thread(target=work, args=(visit,)))
            threads[-1].start()
            wait_until(lambda n=n_waiting: len(lock._waiting) == n)
            clock.now += waited / 2
    for thread in threads:
        thread.join()
    assert begun == order and not lock.locked()


def test_who_is_here_goes_before_new_visits(turns, clock, draw):
    charge(turns, "learner", 3)
    clock.now += 60.0
    with all_places_taken(draw) as drawings:
        waiting = [draw("new"), draw("learner")]
        wait_for(turns, 2)
        drawings[0].end()
        assert waiting[1].begins() and not waiting[0].has_begun()


def test_who_waited_long_goes_first_whatever_they_took(turns, clock, draw, monkeypatch):
    monkeypatch.setattr(page_turns, "LONGEST_WAIT", LONG_SECONDS / 2)
    charge(turns, "asks without rest", 50)
    with all_places_taken(draw) as drawings:
        first = draw("asks without rest")
        wait_for(turns, 1)
        clock.now += LONG_SECONDS / 2
        learner = draw("learner")
        wait_for(turns, 2)
        drawings[0].end()
        assert first.begins() and not learner.has_begun()


def test_a_long_computation_holds_no_place(turns, clock, draw):
    with all_places_taken(draw):
        learner = draw("learner")
        wait_for(turns, 1)
        clock.now += LONG_SECONDS
        assert learner.begins()


def test_small_pages_do_not_wait_for_pages_that_compute_much(turns, draw, monkeypatch):
    worked = Clock(0.0)
    monkeypatch.setattr(page_turns, "processor_clock", lambda: worked)
    with all_places_taken(draw):
        waiting = [draw(number) for number in range(LARGE_PLACES + 1)]
        wait_for(turns, LARGE_PLACES + 1)
        worked.now += LARGE_SECONDS
        wait_until(lambda: sum(page.has_begun() for page in waiting) == LARGE_PLACES)
        wait_for(turns, 1)


def test_a_drawn_page_holds_its_place_until_it_was_sent_but_not_for_long(turns, clock, draw):
    first, second = draw("a"), draw("b")
    turns.count_request("a")  # as the door does, which will see what is sent
    turns.count_request("b")
    for drawing in (first, second):
        assert drawing.begins()
        drawing.end()
    assert not turns.goes_on()  # training need not wait for what is sent
    third, fourth = draw("c"), draw("d")
    wait_for(turns, 2)
    turns.count_sent("a")
    assert third.begins() and not fourth.has_begun()
    clock.now += SEND_SECONDS
    assert fourth.begins()


def test_a_request_is_under_way_while_its_page_waits_and_just_begins(turns, clock, draw):
    with all_places_taken(draw) as drawings:
        turns.count_request("a")
        page = draw("a")
        wait_for(turns, 1)
        clock.now += KEPT_SECONDS
        assert turns.is_under_way("a") and not turns.is_under_way("b")
        drawings[0].end()
        assert page.begins() and turns.is_under_way("a")
        clock.now += KEPT_SECONDS
        assert not turns.is_under_way("a")


def test_processor_time_is_charged_and_forgotten(turns, clock, draw):
    for is_charged in (False, True):  # who comes first loads for all others
        before = turns._account("a").seconds
        with turns.turn("a"):
            sum(range(3_000_000))
        assert (turns._account("a").seconds > before) is is_charged
    clock.now += 3_600.0
    with turns.turn("b"):
        pass
    assert set(turns._accounts) == {"b"}  # a visit that has gone leaves nothing


def test_visits_over_their_allowance_are_drawn_one_at_a_time(turns, draw):
    for tab in ("tab 1", "tab 2"):
        charge(turns, tab, 500)
    first, second = draw("tab 1"), draw("tab 2")
    wait_for(turns, 1)
    assert draw("learner").begins()
    assert first.has_begun() != second.has_begun()


def test_visits_over_their_allowance_rest_after_each_page(turns, clock, draw):
    for tab in ("tab 1", "tab 2"):
        charge(turns, tab, 500)
    first = draw("tab 1")
    assert first.begins()
    clock.now += 0.1
    first.end()
    second = draw("tab 2")
    wait_for(turns, 1)
    assert draw("learner").begins() and not second.has_begun()
    clock.now += 0.1 * REST_TIMES
    assert second.begins()


def test_training_gives_way_to_no_visit_over_its_allowance(turns):
    charge(turns, "tab", 500)
    with turns.turn("tab"):
        assert not turns.goes_on() and turns.are_at_work()
    with turns.turn("learner"):
        assert turns.goes_on() and turns.are_at_work()
    assert not turns.goes_on() and not turns.are_at_work()


def test_the_runs_of_a_visit_are_bounded_and_none_is_lost(turns, clock, draw):
    for _ in range(int(BURST)):
        with turns.turn("slider"):
            pass
    one_more = draw("slider")
    wait_for(turns, 1)
    with turns.turn("learner"):
        pass
    assert not one_more.has_begun()
    clock.now += 1.0
    assert one_more.begins()


def test_a_page_that_fails_gives_its_place_back(turns, draw):
    for _ in range(PLACES):
        with pytest.raises(ValueError, match="no page"), turns.turn("a"):
            raise ValueError("no page")
    assert not turns.goes_on() and draw("b").begins()


def test_a_part_inside_of_a_page_has_the_pages_turn(turns):
    with turns.turn("a"):
        for _ in range(PLACES + 1):
            with turns.turn("a"):
                pass
        assert len(turns._running) == 1
    assert not turns._running and turns._account("a").runs == 1


@pytest.mark.parametrize("file", ["app.py", "pages/3_masking.py", "pages/13_look_it_up.py"])
def test_a_page_is_drawn_in_one_turn_of_its_tab(file: str, turns, open_warm_page, monkeypatch):
    monkeypatch.setattr(visits, "tab", lambda: "tab")
    monkeypatch.setattr(page_turns, "turn", turns.turn)
    assert not open_warm_page(file).exception
    assert turns._account("tab").runs == 1
