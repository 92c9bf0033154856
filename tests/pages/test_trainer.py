"""The service's bookkeeping, driven slice by slice on a clock that the tests move."""

import gc
import itertools
import logging
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from pages.server.trainer.jobs import (
    NO_MEMORY,
    NoRoomError,
    ServiceLimits,
    Standing,
    UnknownTicketError,
)
from pages.server.trainer.service import TrainingService
from tests.pages.test_trainer_thread import seen
from tests.waiting import Clock


class Desk:
    """A service without a thread, its clock, and a record of whose pieces were done."""

    def __init__(self, **limits: float) -> None:
        self.clock = Clock(1000.0)
        self.service = TrainingService(ServiceLimits(**limits), self.clock, own_thread=False)
        self.done: list[str] = []

    def work(self, name: str, n: int = 10**9, seconds: float = 1 / 16) -> Callable:
        """Return work of n pieces, each of which takes a while; its snapshot is its number."""

        def pieces() -> Iterator[int]:
            for number in range(1, n + 1):
                self.clock.now += seconds
                self.done.append(name)
                yield number

        return pieces

    def start(
        self, name: str, cost: int = 0, owner: str | None = None, extra: int = 0, **kwargs: float
    ) -> str:
        work = self.work(name, **kwargs)
        return self.service.start(name, work, cost, extra=extra, owner=owner)

    def pass_time(self, seconds: int, *watched: str) -> None:
        """Let seconds go by, each with a slice and with a look at every ticket that is watched."""
        for _ in range(seconds):
            self.clock.now += 1
            self.service.run_slice()
            for ticket in watched:
                self.service.look(ticket)

    def slices(self, n: int) -> None:
        for _ in range(n):
            self.service.run_slice()

    def status(self, ticket: str) -> str:
        return self.service.look(ticket).status


@pytest.fixture
def desk() -> Desk:
    return Desk()


# Turns


def test_a_slice_ends_with_the_piece_that_fills_it(desk: Desk):
    desk.start("a", seconds=1 / 16)
    assert desk.service.run_slice()
    # 0.0625, 0.125, 0.1875: the third piece begins before 0.15 and ends after it.
    assert desk.done == ["a"] * 3


def test_twenty_jobs_have_the_same_number_of_turns_give_or_take_one():
    desk = Desk(idle_seconds=1e6, drop_seconds=1e6)
    names = [f"job {i}" for i in range(20)]
    for name in names:
        desk.start(name, seconds=0.2)  # one piece a slice
    desk.slices(213)
    counts = [desk.done.count(name) for name in names]
    assert sum(counts) == 213
    assert max(counts) - min(counts) <= 1


def test_a_job_with_slow_pieces_gets_turns_not_time(desk: Desk):
    desk.start("slow", seconds=0.4)
    desk.start("quick", seconds=1 / 16)
    desk.slices(6)
    assert (
        desk.done == (["quick"] * 3 + ["slow"]) * 3 or desk.done == (["slow"] + ["quick"] * 3) * 3
    )


# Sharing


def test_equal_keys_share_one_job_and_have_tickets_of_their_own(desk: Desk):
    made = []

    def work() -> Iterator[int]:
        made.append(1)
        yield from itertools.count()

    first, second = (desk.service.start(("width", 64), work) for _ in range(2))
    assert first != second
    # `work` never moves the clock, so a piece at a time.
    desk.service.step(first, 4)
    desk.service.step(second, 4)
    desk.slices(2)
    views = [desk.service.look(ticket) for ticket in (first, second)]
    assert made == [1]
    assert [view.snapshot for view in views] == [3, 3]
    assert [view.n_watchers for view in views] == [2, 2]


def test_a_shared_job_runs_while_one_of_them_wants_it_to(desk: Desk):
    one, other = desk.start("a"), desk.start("a")
    desk.service.pause(one)
    desk.slices(1)
    view = desk.service.look(one)
    assert (view.status, view.wants_pause, view.n_pieces) == ("running", True, 3)
    assert not desk.service.look(other).wants_pause
    desk.service.pause(other)
    desk.slices(1)
    assert desk.status(one) == desk.status(other) == "paused"
    assert len(desk.done) == 3
    desk.service.resume(one)
    assert desk.status(other) == "running"


def test_the_wish_of_who_looks_no_more_does_not_count(desk: Desk):
    gone, here = desk.start("a"), desk.start("a")
    desk.service.pause(here)
    desk.clock.now += 10.1
    view = desk.service.look(here)
    assert (view.status, view.n_watchers) == ("paused", 1)
    assert desk.service.look(gone).status == "running"


def test_a_finished_job_answers_the_next_one_who_asks_at_once(desk: Desk):
    desk.start("a", n=2)
    desk.slices(1)
    view = desk.service.look(desk.start("a"))
    assert (view.status, view.snapshot, view.n_pieces, view.message) == ("finished", 2, 2, "")
    assert not desk.service.run_slice()


def test_so_many_pieces_and_then_a_rest(desk: Desk):
    ticket = desk.start("a")
    desk.service.pause(ticket)
    for n, all_ in ((1, 1), (5, 6)):
        desk.service.step(ticket, n)
        assert not desk.service.look(ticket).wants_pause
        desk.slices(4)
        view = desk.service.look(ticket)
        assert (view.n_pieces, view.status, view.wants_pause) == (all_, "paused", True)


# Nobody looks


def test_a_job_nobody_looks_at_pauses_and_goes_on_at_the_next_look(desk: Desk):
    ticket = desk.start("a")
    desk.clock.now += 10.1
    assert not desk.service.run_slice()
    assert desk.done == []
    assert desk.status(ticket) == "running"
    assert desk.service.run_slice()


def test_a_job_pauses_in_the_middle_of_its_slice_when_its_last_look_is_too_old(desk: Desk):
    desk.start("a", seconds=0.04)
    desk.clock.now += 9.95
    desk.slices(1)
    # Pieces begin 9.95 and 9.99 seconds after the look; the next would at 10.03.
    assert len(desk.done) == 2


def test_after_three_minutes_a_job_is_dropped_and_its_ticket_says_what_to_do(desk: Desk):
    ticket = desk.start("a")
    desk.clock.now += 180.1
    for _ in range(2):
        with pytest.raises(UnknownTicketError, match=r"dropped after 3 minutes: start it again"):
            desk.service.look(ticket)


def test_a_finished_job_is_kept_longer(desk: Desk):
    ticket = desk.start("a", n=1)
    desk.slices(1)
    desk.clock.now += 1799
    assert desk.status(ticket) == "finished"
    desk.clock.now += 1801
    with pytest.raises(UnknownTicketError):
        desk.service.look(ticket)


def test_at_the_cap_the_finished_job_that_nobody_looked_at_for_longest_goes():
    desk = Desk(most_finished=2)
    tickets = []
    for name in "abc":
        desk.clock.now += 1
        tickets.append(desk.start(name, n=1))
        desk.slices(1)
        desk.service.look(tickets[0])
    assert [desk.status(tickets[i]) for i in (0, 2)] == ["finished"] * 2
    with pytest.raises(UnknownTicketError):
        desk.service.look(tickets[1])


# The line


def test_who_finds_no_room_waits_in_a_line_that_shows_the_place():
    desk = Desk(most_running=2)
    tickets = [desk.start(name) for name in "abcde"]
    desk.clock.now += 4
    views = [desk.service.look(ticket) for ticket in tickets]
    assert [view.status for view in views] == ["running"] * 2 + ["queued"] * 3
    assert [view.place for view in views] == [0, 0, 1, 2, 3]
    desk.service.leave(tickets[0])
    desk.clock.now += 2
    views = [desk.service.look(ticket) for ticket in tickets[1:]]
    assert [view.place for view in views] == [0, 0, 1, 2]


def test_who_stops_looking_is_passed_over_in_the_line_and_keeps_the_place():
    desk = Desk(most_running=1)
    first, gone, third = (desk.start(name) for name in "abc")
    desk.clock.now += 10.1
    desk.service.look(first)
    assert desk.service.look(third).place == 1
    assert desk.service.look(gone).place == 1
    assert desk.service.look(third).place == 2


def test_a_paused_job_makes_room_and_comes_back_at_the_end_of_the_line():
    desk = Desk(most_running=1)
    first, second = desk.start("a"), desk.start("b")
    desk.service.pause(first)
    assert desk.status(second) == "running"
    desk.service.resume(first)
    view = desk.service.look(first)
    assert (view.status, view.place) == ("queued", 1)


def test_who_asks_to_pause_while_in_line_is_paused():
    desk = Desk(most_running=1)
    desk.start("a")
    waiting = desk.start("b")
    desk.service.pause(waiting)
    view = desk.service.look(waiting)
    assert (view.status, view.place) == ("paused", 0)


def test_all_jobs_together_keep_to_the_bytes_there_are():
    desk = Desk(most_bytes=100)
    big, small, smaller = desk.start("a", 70), desk.start("b", 40), desk.start("c", 20)
    # The third would fit, but then the second might wait for ever.
    assert [desk.status(t) for t in (big, small, smaller)] == ["running", "queued", "queued"]
    desk.service.pause(big)
    assert [desk.status(t) for t in (small, smaller)] == ["running", "running"]


def test_what_a_job_keeps_counts_while_it_is_at_work_too():
    desk = Desk(most_bytes=100)
    first, second = (
        desk.service.start(name, desk.work(name), 40, kept=20, owner=name) for name in "ab"
    )
    assert [desk.status(ticket) for ticket in (first, second)] == ["running", "queued"]
    assert desk.service.standing().held_bytes == 60


def test_a_job_that_ends_gives_its_bytes_back():
    desk = Desk(most_bytes=100)
    desk.start("a", 70, n=1)
    waiting = desk.start("b", 70)
    desk.slices(1)
    assert desk.status(waiting) == "running"


def test_only_the_job_at_work_needs_what_a_piece_takes_beside_the_rest():
    desk = Desk(most_bytes=100)
    tickets = [desk.start(name, 20, extra=extra) for name, extra in (("a", 30), ("b", 40))]
    # 20 + 20 + 20 held, and 40 while b is at work; each one's 30 or 40 added would be too much.
    tickets.append(desk.start("c", 20, extra=10))
    assert [desk.status(ticket) for ticket in tickets] == ["running"] * 3
    assert desk.service.standing().held_bytes == 100
    last = desk.start("d", 1, extra=1)
    assert desk.status(last) == "queued"
    with pytest.raises(NoRoomError, match="needs 101 bytes"):
        desk.start("e", 50, extra=51)


# One among many


def test_an_owner_has_two_places_and_further_runs_wait_for_them():
    desk = Desk()
    mine = [desk.start(f"mine {i}", owner="me") for i in range(4)]
    other = desk.start("other", owner="you")
    assert [desk.status(t) for t in (*mine, other)] == [
        *["running"] * 2,
        *["queued"] * 2,
        "running",
    ]
    # They wait for the owner's own, not for those in front of them.
    assert [desk.service.look(ticket).place for ticket in mine] == [0] * 4
    desk.service.pause(mine[0])
    assert [desk.status(ticket) for ticket in mine[1:]] == ["running", "running", "queued"]


def test_who_waits_for_their_own_runs_stands_in_nobody_s_way():
    desk = Desk(most_running=3)
    for i in range(5):
        desk.start(f"mine {i}", owner="me")
    desk.start("a", owner="a")
    waiting = [desk.start(name, owner=name) for name in "bc"]
    assert [desk.service.look(ticket).place for ticket in waiting] == [1, 2]


def test_a_shared_job_runs_on_the_place_of_any_of_its_owners():
    desk = Desk()
    for i in range(2):
        desk.start(f"mine {i}", owner="me")
    shared = desk.start("shared", owner="me")
    assert desk.status(shared) == "queued"
    desk.start("shared", owner="you")
    assert desk.status(shared) == "running"


def test_joining_the_jobs_of_others_gives_nobody_more_places():
    desk = Desk()
    others = [desk.start(f"other {i}", owner="other tab") for i in range(2)]
    mine = [desk.start(f"mine {i}", owner="me") for i in range(2)]
    links = [desk.service.look(ticket).link for ticket in others]
    joined = [desk.service.join(link, owner="me") for link in links]
    assert [desk.status(ticket) for ticket in joined] == ["running"] * 2
    for ticket in others:
        desk.service.leave(ticket)
    statuses = [desk.status(ticket) for ticket in (*mine, *joined)]
    assert sorted(statuses) == ["queued"] * 2 + ["running"] * 2


@pytest.mark.parametrize(("n_visits", "n_each"), [(10, 6), (20, 1)])
def test_a_newcomer_s_run_begins_within_a_minute_whatever_others_hold(
    n_visits: int, n_each: int, unchecked_shapes: None
):
    desk = Desk()
    tickets = [
        desk.start(f"{visit}, {i}", owner=f"visit {visit}")
        for visit in range(n_visits)
        for i in range(n_each)
    ]
    desk.pass_time(5, *tickets)
    newcomer = desk.start("newcomer", owner="newcomer")
    assert desk.status(newcomer) == "queued"
    begun = desk.clock.now
    while not desk.service.look(newcomer).n_pieces:
        desk.pass_time(1, *tickets, newcomer)
        assert desk.clock.now - begun < 60
    # Nobody has lost anything by it: whose place it was waits, with what was done.
    statuses = {desk.status(ticket) for ticket in tickets}
    assert statuses == {"running", "queued"}


def test_who_has_most_places_gives_one_first():
    desk = Desk(most_running=3)
    one = desk.start("one", owner="one")
    desk.clock.now += 1
    two = [desk.start(f"two {i}", owner="two") for i in range(2)]
    desk.pass_time(29, one, *two)
    waiting = desk.start("waiting", owner="waiting")
    desk.pass_time(3, one, *two, waiting)
    assert [desk.status(t) for t in (one, *two, waiting)] == [
        *("running", "queued", "running", "running")
    ]


def test_those_who_wait_and_those_who_have_places_take_turns_with_them():
    desk = Desk(most_running=2, place_seconds=10)
    tickets = [desk.start(name, owner=name) for name in "abc"]
    desk.pass_time(300, *tickets)
    counts = [desk.service.look(ticket).n_pieces for ticket in tickets]
    assert max(counts) < 1.2 * min(counts)


# Memory that others need


def test_memory_goes_round_and_nobody_loses_what_was_done():
    desk = Desk(most_bytes=100)
    tickets = [desk.start(name, 70, owner=name) for name in "abc"]
    seen = [0, 0, 0]
    for _ in range(600):
        desk.pass_time(1, *tickets)
        views = [desk.service.look(ticket) for ticket in tickets]
        assert [view.status for view in views].count("running") == 1
        assert all(view.n_pieces >= before for view, before in zip(views, seen, strict=True))
        seen = [view.n_pieces for view in views]
        assert [view.snapshot or 0 for view in views] == seen
    assert max(seen) < 2 * min(seen)
    assert len(desk.done) < 2 * sum(seen), "more was repeated than done"


def test_a_job_says_that_it_repeats_what_it_had_done():
    desk = Desk(most_bytes=100)
    one, two = desk.start("one", 70, owner="one"), desk.start("two", 70, owner="two")
    desk.pass_time(5, one)
    n_pieces = desk.service.look(one).n_pieces
    desk.service.pause(one)
    assert desk.status(two) == "running"
    desk.service.pause(two)
    desk.service.resume(one)
    desk.slices(1)
    view = desk.service.look(one)
    assert (view.status, view.is_repeating, view.n_pieces) == ("running", True, n_pieces)
    desk.slices(10)
    view = desk.service.look(one)
    assert not view.is_repeating and view.n_pieces > n_pieces


@pytest.mark.parametrize("do", ["watch", "pause"])
def test_a_newcomer_has_memory_within_a_minute_whatever_one_visits_tabs_hold(do: str):
    desk = Desk(most_bytes=280)
    tickets = [desk.start(f"{i}", 90, owner=f"tab {i // 2}") for i in range(6)]
    desk.pass_time(5, *tickets)
    newcomer = desk.start("newcomer", 90, owner="newcomer")
    for ticket in tickets if do == "pause" else ():
        desk.service.pause(ticket)
    begun = desk.clock.now
    while not desk.service.look(newcomer).n_pieces:
        desk.pass_time(1, *tickets, newcomer)
        assert desk.clock.now - begun < 60


def test_the_snapshots_of_parked_jobs_are_bounded_too():
    desk = Desk(most_bytes=120, most_kept_bytes=100)
    tickets = []
    for name in "abcd":
        work = desk.work(name)
        tickets.append(desk.service.start(name, work, 70, kept=40))
        desk.slices(1)
        desk.service.pause(tickets[-1])
        desk.clock.now += 1
    assert desk.service.standing().kept_bytes == 80
    with pytest.raises(UnknownTicketError):
        desk.service.look(tickets[0])


def test_nobody_is_parked_for_a_job_that_there_is_no_memory_for_even_then():
    desk = Desk(most_bytes=100)
    tickets = [desk.start("a", 30, owner="a")]
    desk.pass_time(40, *tickets)
    tickets.append(desk.start("b", 60, owner="b"))  # begins now, so it is left alone
    tickets.append(desk.start("c", 60, owner="c"))
    assert [desk.status(ticket) for ticket in tickets] == ["running", "running", "queued"]


# Links


def test_a_link_gives_a_ticket_of_one_s_own_and_what_is_done_with_it_harms_no_other(desk: Desk):
    sender = desk.start("a", owner="sender")
    desk.slices(1)
    link = desk.service.look(sender).link
    for undo in (desk.service.leave, desk.service.pause):
        reader = desk.service.join(link, owner="reader")
        view = desk.service.look(reader)
        assert (view.key, view.snapshot, view.link) == ("a", 3, link)
        undo(reader)
        assert desk.service.look(sender).status == "running"
    assert link not in (sender, reader)
    with pytest.raises(UnknownTicketError):
        desk.service.look(link)  # by itself it shows and moves nothing
    with pytest.raises(UnknownTicketError, match="start it again"):
        desk.service.join(sender, owner="reader")


def test_a_link_is_good_as_long_as_anybody_has_the_job(desk: Desk):
    first = desk.start("a", n=3)
    link = desk.service.look(first).link
    second = desk.service.join(link)
    desk.service.leave(first)
    desk.slices(3)
    third = desk.service.join(link)
    assert desk.status(third) == "finished"
    for ticket in (second, third):
        desk.service.leave(ticket)
    with pytest.raises(UnknownTicketError):
        desk.service.join(link)


# Refusals


def test_what_can_never_fit_is_refused():
    desk = Desk(most_bytes=100)
    with pytest.raises(NoRoomError, match="needs 101 bytes and the trainer has 100: choose a sm"):
        desk.start("a", 101)
    with pytest.raises(ValueError, match="cost -1, kept 0, extra 0"):
        desk.start("a", -1)


def test_when_all_tickets_are_out_the_next_is_asked_to_come_later():
    desk = Desk(most_tickets=2)
    desk.start("a")
    desk.start("a")
    with pytest.raises(NoRoomError, match="all 2 places at the trainer are taken"):
        desk.start("a")
    desk.clock.now += 181
    desk.start("a")


def test_tickets_that_nobody_looks_at_shut_no_learner_out():
    desk = Desk()
    done = desk.start("done", owner="first", n=1)
    desk.slices(1)
    link = desk.service.look(done).link
    for i in range(399):
        desk.service.join(link, owner=f"visit {i // 6}")
    with pytest.raises(NoRoomError, match="all 400 places"):
        desk.start("mine", owner="me")
    desk.clock.now += 31
    mine = desk.start("mine", owner="me")
    assert desk.status(mine) == "running"
    assert desk.status(done) == "finished", "of an owner with one ticket"
    assert desk.service.standing().n_tickets == 400


def test_one_owner_has_so_many_tickets_and_gives_their_oldest_first():
    desk = Desk(most_tickets_of_owner=3)
    tickets = [desk.start(f"mine {i}", owner="me") for i in range(3)]
    with pytest.raises(NoRoomError, match="you have 3 runs at the trainer"):
        desk.start("mine 3", owner="me")
    desk.start("other", owner="you")
    desk.clock.now += 31
    desk.service.look(tickets[0])
    desk.start("mine 3", owner="me")
    with pytest.raises(UnknownTicketError):
        desk.service.look(tickets[1])
    assert desk.service.standing().n_tickets == 4


@pytest.mark.parametrize(
    ("name", "value"), [("slice_seconds", 0), ("most_running", -1), ("rest_seconds", -0.1)]
)
def test_limits_under_which_nothing_runs_are_refused(name: str, value: float):
    with pytest.raises(ValueError, match=f"{name} is {value}"):
        ServiceLimits(**{name: value})
    assert ServiceLimits(rest_seconds=0).rest_seconds == 0


# Giving up


def test_a_job_that_all_have_left_is_dropped_and_the_next_begins_anew(desk: Desk):
    ticket = desk.start("a")
    desk.slices(1)
    desk.service.leave(ticket)
    assert not desk.service.run_slice()
    assert desk.service.look(desk.start("a")).n_pieces == 0


def test_a_ticket_is_worth_nothing_after_its_owner_left(desk: Desk):
    ticket = desk.start("a")
    desk.service.leave(ticket)
    service = desk.service
    for use in (service.look, service.pause, service.resume, service.step):
        with pytest.raises(UnknownTicketError, match="start it again"):
            use(ticket)
    with pytest.raises(UnknownTicketError):
        service.leave(ticket)


def test_tickets_can_not_be_guessed(desk: Desk):
    tickets = [desk.start("a") for _ in range(100)]
    # 16 bytes are 22 letters of 6 bits.
    assert len(set(tickets)) == 100 and all(len(ticket) >= 22 for ticket in tickets)
    for guess in ("", "0", tickets[0][:-1], tickets[0] + "A", None, 0):
        with pytest.raises(UnknownTicketError):
            desk.service.look(guess)


# What goes wrong


class TooHotError(RuntimeError):
    pass


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("width 7: take an even number"), "width 7: take an even number"),
        (TooHotError("lower the peak rate"), "lower the peak rate"),
        (RuntimeError("mat1 and mat2 shapes"), "stopped by an unexpected error"),
        (KeyError("/secret/path"), "stopped by an unexpected error"),
        (MemoryError(), NO_MEMORY),
        (SystemExit("bye"), "stopped by an unexpected error"),
        (ValueError(), "stopped by an unexpected error"),
    ],
)
def test_a_job_that_fails_says_why_and_touches_no_other(
    desk: Desk, error: BaseException, message: str, caplog: pytest.LogCaptureFixture
):
    def work() -> Iterator[int]:
        desk.clock.now += 0.2
        yield 1
        raise error

    bad, good = desk.service.start("bad", work), desk.start("good")
    desk.slices(4)
    view = desk.service.look(bad)
    assert (view.status, view.message, view.snapshot) == ("failed", message, 1)
    assert type(error).__name__ in caplog.text
    view = desk.service.look(good)
    assert (view.status, view.message, view.n_pieces) == ("running", "", 6)


def test_a_failed_job_is_tried_anew_by_the_next_who_asks(desk: Desk):
    def work() -> Iterator[int]:
        raise ValueError("no")
        yield

    failed = desk.service.start("a", work)
    desk.slices(1)
    anew = desk.start("a")
    desk.slices(1)
    assert desk.status(failed) == "failed"
    assert desk.service.look(anew).n_pieces == 3


def test_a_piece_that_waits_does_not_hang_and_one_that_computes_for_ever_does():
    """By processor time: a busy machine lets a healthy piece wait."""
    limits = ServiceLimits(stuck_seconds=0.2)
    ended = threading.Event()

    def waiting() -> Iterator[str]:
        time.sleep(0.6)  # three times the limit, by the clock
        yield "healthy"

    def computing() -> Iterator[str]:
        while not ended.is_set():
            pass
        yield "too late"

    service = TrainingService(limits)
    try:
        view = seen(service, service.start("waiting", waiting), "finished")
        assert view.snapshot == "healthy"
        view = seen(service, service.start("computing", computing), "failed")
        assert "longer than 0.2 seconds" in view.message
    finally:
        ended.set()
        service.close()


def test_a_piece_of_work_that_hangs_fails_its_job_and_what_it_still_brings_is_discarded(
    desk: Desk, caplog: pytest.LogCaptureFixture
):
    seen, closed = [], []

    def hanging() -> Iterator[str]:
        try:
            desk.clock.now += 30.1
            desk.service.resume(good)
            seen.append(desk.service.look(bad))  # as another thread would, meanwhile
            yield "too late"
        finally:
            closed.append(True)

    bad, good = desk.service.start("bad", hanging), desk.start("good")
    desk.slices(2)
    assert seen[0].status == "failed"
    assert "longer than 30 seconds" in seen[0].message
    view = desk.service.look(bad)
    assert (view.status, view.snapshot, view.n_pieces) == ("failed", None, 0)
    assert closed == [True]
    desk.slices(2)
    assert desk.service.look(good).n_pieces >= 3


@pytest.mark.parametrize("how", ["leave", "close"])
def test_a_job_given_up_in_the_middle_of_a_piece_is_closed_after_it(desk: Desk, how: str):
    closed = []

    def work() -> Iterator[int]:
        try:
            yield 1
            getattr(desk.service, how)(*([] if how == "close" else [ticket]))
            yield 2
        finally:
            closed.append(True)

    ticket = desk.service.start("a", work)
    desk.slices(1)
    assert closed == [True]
    assert not desk.service.run_slice()


def test_a_generator_that_fails_while_it_is_closed_is_only_logged(
    desk: Desk, caplog: pytest.LogCaptureFixture
):
    def work() -> Iterator[int]:
        try:
            while True:
                desk.clock.now += 0.2
                yield 1
        finally:
            raise KeyError("in finally")

    ticket = desk.service.start("a", work)
    desk.slices(1)
    desk.service.leave(ticket)
    good = desk.start("b")
    desk.slices(1)
    assert "could not be closed" in caplog.text
    assert desk.status(good) == "running"


# Memory


class Heavy:
    """Something that can be watched as it goes."""


@pytest.mark.parametrize("how", ["leave", "time", "finish", "fail", "close"])
@pytest.mark.parametrize("what", ["generator", "snapshot"])
def test_a_job_that_is_over_lets_its_generator_go_and_a_dropped_one_its_snapshot(
    desk: Desk, what: str, how: str, caplog: pytest.LogCaptureFixture
):
    if what == "snapshot" and how in ("finish", "fail"):
        return  # it is kept
    caplog.set_level(logging.CRITICAL, "mlm_core")  # a kept record would hold the generator
    heavy = Heavy()
    watched = weakref.ref(heavy)

    def work(heavy: Heavy = heavy) -> Iterator[object]:
        desk.clock.now += 0.2
        yield heavy if what == "snapshot" else id(heavy)
        if how == "fail":
            raise ValueError("no")

    ticket = desk.service.start("a", work)
    desk.slices(1 if what == "generator" else 2)
    del heavy, work
    gc.collect()
    assert watched() is not None
    if how == "time":
        desk.clock.now += 181 if what == "generator" else 1801
    elif how == "close":
        desk.service.close()
    elif how == "leave":
        desk.service.leave(ticket)
    desk.slices(1)
    gc.collect()
    assert watched() is None


def test_a_piece_waits_for_those_who_have_precedence_but_not_for_ever():
    asked = []

    def must_wait():
        asked.append(time.monotonic())
        return True

    limits = ServiceLimits(give_way_seconds=0.05, slice_seconds=0.001)
    service = TrainingService(limits, own_thread=False, must_wait=must_wait)
    ticket = service.start("key", lambda: iter(["done"]))
    begun = time.monotonic()
    assert service.run_slice()
    assert time.monotonic() - begun >= 0.05
    assert service.look(ticket).snapshot == "done"
    assert len(asked) > 1


def test_who_leaves_no_gap_lets_one_piece_pass_and_then_a_longer_rest():
    is_busy = True
    limits = ServiceLimits(give_way_seconds=0.01, slice_seconds=60.0)
    service = TrainingService(limits, own_thread=False, must_wait=lambda: is_busy)
    ticket = service.start("key", lambda: iter(range(10)))
    assert service._slice(service._shift) == limits.busy_rest_seconds
    assert service.look(ticket).snapshot == 0, "one piece, not the slice"
    is_busy = False
    assert service._slice(service._shift) == limits.rest_seconds < limits.busy_rest_seconds
    assert service.look(ticket).snapshot == 9, "nobody waits: the slice goes on to the end"


def test_ended_jobs_are_forgotten_when_their_snapshots_hold_too_much():
    service = TrainingService(ServiceLimits(most_kept_bytes=100), own_thread=False)
    tickets = [
        service.start(key, lambda: iter(["done"]), kept=40) for key in ("one", "two", "three")
    ]
    while service.run_slice():
        for ticket in tickets[1:]:
            service.look(ticket)
    with pytest.raises(UnknownTicketError):
        service.look(tickets[0])
    assert [service.look(ticket).status for ticket in tickets[1:]] == ["finished", "finished"]


# For whoever runs the server


def test_the_service_tells_how_it_stands_in_numbers(desk: Desk):
    desk = Desk(most_running=2, most_bytes=100)
    tickets = [desk.start(name, cost=40, n=1) for name in "abc"]
    assert desk.service.standing() == Standing(n_running=2, n_in_line=1, n_tickets=3, held_bytes=80)
    desk.slices(9)
    assert [desk.status(ticket) for ticket in tickets] == ["finished"] * 3
    assert desk.service.standing() == Standing(n_ended=3, n_tickets=3)


def test_when_all_have_left_the_ended_jobs_looked_at_last_are_kept():
    desk = Desk()
    tickets = []
    for name in "abc":
        tickets.append(desk.service.start(name, desk.work(name, n=1), kept=30))
        desk.slices(3)
        desk.clock.now += 1
    desk.service.look(tickets[0])
    desk.service.keep_at_most(60)
    assert desk.service.standing() == Standing(n_ended=2, n_tickets=2, kept_bytes=60)
    assert desk.status(tickets[0]) == desk.status(tickets[2]) == "finished"
    with pytest.raises(UnknownTicketError):
        desk.service.look(tickets[1])
