"""The trainer's thread: it lives, is replaced, never makes a look wait, and trains right."""

import contextlib
import dataclasses
import gc
import itertools
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from mlm_core.training.loop import TrainingSettings, train
from pages.server.trainer.jobs import ServiceLimits, UnknownTicketError, View
from pages.server.trainer.service import TrainingService
from tests.fresh import run_fresh
from tests.training.test_loop import Doubling, fresh_model
from tests.waiting import wait_until

PATIENCE = 30.0  # seconds; far above what anything here takes, also on a busy machine
QUICK = ServiceLimits(slice_seconds=0.01, rest_seconds=0.001)


@pytest.fixture
def service() -> Iterator[TrainingService]:
    service = TrainingService(QUICK)
    yield service
    service.close()


def seen(service: TrainingService, ticket: str, *statuses: str) -> View:
    """Look until the job stands as wished."""
    wait_until(lambda: service.look(ticket).status in statuses)
    return service.look(ticket)


def count_to(n: int) -> Callable[[], Iterator[int]]:
    return lambda: iter(range(1, n + 1))


def test_jobs_run_to_their_end_by_themselves(service: TrainingService):
    tickets = [service.start(i, count_to(100 + i)) for i in range(7)]
    views = [seen(service, ticket, "finished") for ticket in tickets]
    assert [view.snapshot for view in views] == [100 + i for i in range(7)]


def test_all_work_is_done_on_one_thread(service: TrainingService):
    def work() -> Iterator[str]:
        for _ in range(50):
            yield threading.current_thread().name

    before = set(threading.enumerate())  # the trainer of pages that ran in this process, too
    tickets = [service.start(i, work) for i in range(5)]
    names = {seen(service, ticket, "finished").snapshot for ticket in tickets}
    assert names == {"trainer"}
    begun = set(threading.enumerate()) - before
    assert sum(thread.name == "trainer" for thread in begun) == 1


def test_looking_does_not_wait_for_a_piece_of_work(service: TrainingService):
    began, may_end = threading.Event(), threading.Event()

    def work() -> Iterator[int]:
        yield 1
        began.set()
        assert may_end.wait(PATIENCE)
        yield 2

    ticket = service.start("a", work)
    assert began.wait(PATIENCE)
    # The piece ends only after these; if they waited for it, nothing would end at all.
    assert service.look(ticket).snapshot == 1
    service.pause(ticket)
    service.resume(ticket)
    other = service.start("b", count_to(3))
    assert service.look(other).status == "running"
    may_end.set()
    assert seen(service, ticket, "finished").snapshot == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_trainer_that_died_is_replaced_at_the_next_look():
    deadly = threading.Event()

    def clock() -> float:
        if deadly.is_set() and threading.current_thread().name == "trainer":
            deadly.clear()
            raise SystemExit  # ends a thread without a word
        return time.monotonic()

    service = TrainingService(QUICK, clock)
    ticket = service.start("a", itertools.count)
    first = service._thread
    deadly.set()
    wait_until(lambda: not first.is_alive())
    n_before = service.look(ticket).n_pieces
    wait_until(lambda: service.look(ticket).n_pieces > n_before)
    assert service._thread is not first
    service.close()


def test_a_trainer_that_hangs_is_replaced_and_what_it_still_brings_is_discarded():
    may_end, closed = threading.Event(), threading.Event()
    late = [0.0]  # what the tests add to the time

    def hanging() -> Iterator[int]:
        try:
            assert may_end.wait(PATIENCE)
            yield 7
        finally:
            closed.set()

    limits = dataclasses.replace(QUICK, silent_seconds=31.0)
    service = TrainingService(limits, lambda: time.monotonic() + late[0])
    bad = service.start("bad", hanging)
    wait_until(lambda: service._at_work is not None)
    good = service.start("good", count_to(100))
    first = service._thread
    late[0] = 32.0  # it waits, and takes no time of the processor
    assert "longer than 31 seconds" in service.look(bad).message
    assert seen(service, good, "finished").snapshot == 100
    may_end.set()
    first.join(PATIENCE)
    assert not first.is_alive()
    assert closed.is_set()
    view = service.look(bad)
    assert (view.status, view.snapshot) == ("failed", None)
    service.close()


def test_closing_ends_the_thread_and_closes_what_ran(service: TrainingService):
    closed = []

    def work() -> Iterator[int]:
        try:
            yield from itertools.count()
        finally:
            closed.append(True)

    tickets = [service.start(i, work) for i in range(3)]
    for ticket in tickets:
        wait_until(lambda ticket=ticket: service.look(ticket).n_pieces > 0)
    thread = service._thread
    service.close()
    assert not thread.is_alive()
    assert closed == [True] * 3
    service.close()


def test_a_process_that_ends_while_it_trains_ends_well():
    code = """
import itertools, time, torch
from pages.server.trainer.service import TrainingService
work = lambda: ((torch.randn(99, 99) @ torch.randn(99, 99)).sum() for _ in itertools.count())
service = TrainingService()
ticket = service.start("a", work)
while service.look(ticket).n_pieces == 0:
    time.sleep(0.01)
"""
    ended = run_fresh(code)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_service_that_nobody_holds_any_more_ends_its_thread():
    service = TrainingService(QUICK)
    service.start("a", itertools.count)
    thread, gone = service._thread, weakref.ref(service)
    del service
    wait_until(lambda: gc.collect() is not None and gone() is None and not thread.is_alive())


def test_interleaved_trainings_give_the_losses_of_each_alone(service: TrainingService):
    settings = TrainingSettings(n_steps=60, peak_learning_rate=0.05)

    def training(seed: int) -> Callable[[], Iterator[tuple[float, ...]]]:
        def work() -> Iterator[tuple[float, ...]]:
            losses = ()
            for step in train(fresh_model(), Doubling(), settings, seed=seed):
                losses += (float(step.loss),)
                yield losses

        return work

    alone = [list(training(seed)())[-1] for seed in range(6)]
    tickets = [service.start(seed, training(seed)) for seed in range(6)]
    interleaved = [seen(service, ticket, "finished").snapshot for ticket in tickets]
    assert interleaved == alone
    assert len(set(alone)) == 6


def test_a_shared_start_during_training_changes_no_result(service: TrainingService):
    settings = TrainingSettings(n_steps=200, peak_learning_rate=0.05)
    has_asked = threading.Event()

    def training() -> Iterator[float]:
        for step in train(fresh_model(), Doubling(), settings, seed=1):
            yield float(step.loss)

    def work() -> Iterator[float]:
        has_asked.wait(PATIENCE)  # or pieces could be done before fifty are asked for
        return training()

    alone = list(training())[-1]
    first = service.start("a", work)
    service.step(first, 50)
    has_asked.set()
    wait_until(lambda: service.look(first).n_pieces == 50)
    second = service.start("a", work)
    assert seen(service, second, "finished").snapshot == alone
    assert service.look(first).snapshot == alone


def test_two_threads_that_hammer_the_service_find_it_sound():
    limits = ServiceLimits(
        slice_seconds=0.002,
        rest_seconds=0,
        most_running=3,
        most_bytes=50,
        most_finished=4,
        most_tickets=400,
    )
    service = TrainingService(limits)
    troubles: list[BaseException] = []

    def work() -> Iterator[int]:
        yield from range(40)
        raise ValueError("on purpose")

    def hammer(offset: int) -> None:
        tickets: list[str] = []
        try:
            for i in range(150):
                tickets.append(service.start((i + offset) % 9, work, 10 + i % 20))
                for ticket in tickets[-3:]:
                    view = service.look(ticket)
                    assert (view.place > 0) == (view.status == "queued")
                    assert view.n_running <= 3
                use = (service.pause, service.resume, service.step)[i % 3]
                use(tickets[i % len(tickets)])
                if len(tickets) > 20:
                    service.leave(tickets.pop(i % 20))
        except UnknownTicketError:
            pass  # finished and failed jobs go at their cap, with their tickets
        except BaseException as error:
            troubles.append(error)
        finally:
            # The others' tickets are given back, or they would fill all places.
            for ticket in tickets:
                with contextlib.suppress(UnknownTicketError):
                    service.leave(ticket)

    def hammer_on(offset: int) -> None:
        stop_at = time.monotonic() + 0.5
        while time.monotonic() < stop_at and not troubles:
            hammer(offset)

    threads = [threading.Thread(target=hammer_on, args=(n,)) for n in (0, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a deadlock"
    assert not troubles
    thread = service._thread
    service.close()
    assert not thread.is_alive()
