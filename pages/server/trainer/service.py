"""One trainer for the whole server: every learner's job in turn, on one thread.

    service = TrainingService(ServiceLimits())
    ticket = service.start(key, work, cost, owner=visit)  # work() gives a generator, see jobs.py
    view = service.look(ticket)                    # at once, also while the trainer works

Two busy Python threads slow a page's answer from 50 ms to a second, thirty stop the app. So there
is one thread, which gives each job a slice of 150 ms and rests 50 ms after it. Before each piece
of work it waits while pages have precedence; after a slice with such a wait it rests longer. One
lock guards the jobs and tickets and is never held while a job works, so look() never waits for a
training step.

Each look checks the trainer: if its thread has died, or hangs in one piece of work, that job has
failed and a new thread takes over. A result of the old thread is discarded. A piece hangs by the
processor time of its thread: on a busy machine, where the trainer has the lowest priority, a
healthy piece took longer than 30 s by the clock.

Limits: a piece of work can't be interrupted, so a job that hangs keeps its old thread and
memory until the piece ends. Nothing survives the process.

The module is longer than others, because all that shares the one lock stands in one class.

Read before this: jobs_in_line.py.
"""

import atexit
import logging
import math
import threading
import time
import weakref
from collections.abc import Callable, Hashable
from typing import Any

from pages.server.trainer.jobs import (
    UNEXPECTED,
    Job,
    ServiceLimits,
    Standing,
    View,
    Work,
    close_work,
    next_piece,
)
from pages.server.trainer.jobs_in_line import Jobs

logger = logging.getLogger("mlm_app")

GLANCE_SECONDS = 0.005  # between two checks whether pages still have precedence
LONGEST_SLEEP = 1.0  # seconds without work until the trainer checks for expired tickets


class TrainingService:
    """All training of one server.

    With `own_thread=False` nothing runs by itself: the caller calls run_slice().
    """

    def __init__(
        self,
        limits: ServiceLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        own_thread: bool = True,
        must_wait: Callable[[], bool] | None = None,
        prepare_thread: Callable[[], None] | None = None,
    ) -> None:
        """Make a service.

        `must_wait`, called before each piece, tells whether pages have precedence.
        `prepare_thread` is called once in each trainer thread before its first piece, for
        example to set the thread's priority.
        """
        self.limits = limits or ServiceLimits()
        self._clock = clock
        self._own_thread = own_thread
        self._must_wait = must_wait
        self._prepare_thread = prepare_thread
        self._lock = threading.Lock()
        self._jobs = Jobs(self.limits)
        self._thread: threading.Thread | None = None
        self._shift = 0  # grows with each new trainer thread, so that an old one stops
        self._at_work: Job | None = None
        self._piece_began = 0.0  # by the clock
        self._piece_worked = clock  # the processor time of the thread that does the piece
        self._worked_before = 0.0  # of the processor, when the piece began
        self._is_closed = False
        self._has_news = threading.Event()  # wakes a trainer that has nothing to do
        # A thread that is in torch while Python ends aborts the process.
        atexit.register(_close_service, weakref.ref(self))

    def start(
        self,
        key: Hashable,
        work: Work,
        cost: int = 0,
        kept: int = 0,
        *,
        extra: int = 0,
        owner: Hashable = None,
    ) -> str:
        """Return a ticket for a job; equal keys share one, whose first `work` counts.

        In bytes: `cost` is what the job holds from its first piece to its end, `extra` what it
        takes beside that while a piece is done, `kept` what its snapshots hold. All tickets of
        an `owner` share two places among the running (places.py). Raises NoRoomError.
        """
        if min(cost, kept, extra) < 0:
            raise ValueError(
                f"cost {cost}, kept {kept}, extra {extra}: give the bytes that the job will hold"
            )
        with self._lock:
            self._refuse_if_closed()
            ticket = self._jobs.start(
                key, work, self._clock(), cost=cost, extra=extra, kept=kept, owner=owner
            )
            self._watch()
        self._has_news.set()
        return ticket

    def join(self, link: str, owner: Hashable = None) -> str:
        """Return a new ticket for the job of a link (`View.link`).

        Raises UnknownTicketError if there is no such job any more, NoRoomError.
        """
        with self._lock:
            self._refuse_if_closed()
            ticket = self._jobs.join(link, self._clock(), owner)
            self._watch()
        self._has_news.set()
        return ticket

    def look(self, ticket: str) -> View[Any]:
        """Return the state of a job and keep it running. Raises UnknownTicketError."""
        with self._lock:
            self._watch()
            now = self._clock()
            view = self._jobs.view(self._jobs.find(ticket, now), now)
        if view.status == "running":
            self._has_news.set()
        return view

    def pause(self, ticket: str) -> None:
        """Note that this learner wants the job to pause. Raises UnknownTicketError."""
        self._wish(ticket, 0)

    def resume(self, ticket: str) -> None:
        """Note that this learner wants the job to run. Raises UnknownTicketError."""
        self._wish(ticket, math.inf)

    def step(self, ticket: str, n_pieces: int = 1) -> None:
        """Ask for `n_pieces` more, then a pause. Raises UnknownTicketError."""
        if n_pieces < 1:
            raise ValueError(f"{n_pieces} pieces of work: ask for at least 1")
        self._wish(ticket, n_pieces)

    def leave(self, ticket: str) -> None:
        """Forget a ticket. Raises UnknownTicketError."""
        with self._lock:
            self._jobs.leave(ticket, self._clock())
        self._has_news.set()

    def standing(self) -> Standing:
        """Return the state of the service in numbers; this keeps no job running."""
        with self._lock:
            return self._jobs.standing(self._clock())

    def keep_at_most(self, most_bytes: int) -> None:
        """Forget ended jobs until the snapshots of those left take no more memory."""
        with self._lock:
            self._jobs.keep_at_most(most_bytes)

    def close(self, patience_seconds: float = 5.0) -> None:
        """Drop all jobs and stop the trainer; wait up to `patience_seconds` for it."""
        with self._lock:
            self._is_closed = True
            self._shift += 1
            self._jobs.drop_all()
            thread, self._thread = self._thread, None
        self._has_news.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join(patience_seconds)
        self._close_discarded()

    def run_slice(self) -> bool:
        """Give the next job its turn; return whether there was one.

        For a service made with own_thread=False.
        """
        return self._slice(self._shift) is not None

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ValueError("this training service is closed: make another")

    def _wish(self, ticket: str, n_more: float) -> None:
        with self._lock:
            self._jobs.wish(ticket, self._clock(), n_more)
        self._has_news.set()

    def _watch(self) -> None:
        """Replace a trainer thread that died or hangs. Needs the lock."""
        if self._is_closed:
            return
        job, now = self._at_work, self._clock()
        is_stuck = job is not None and self._is_stuck(now)
        is_missing = self._own_thread and (self._thread is None or not self._thread.is_alive())
        if not is_stuck and not is_missing:
            return
        if job is not None:
            job.is_at_work = is_stuck and not is_missing
            is_silent = now - self._piece_began > self.limits.silent_seconds
            seconds = self.limits.silent_seconds if is_silent else self.limits.stuck_seconds
            too_long = f"one step took longer than {seconds:g} seconds: choose smaller sizes"
            self._jobs.end(job, "failed", too_long if is_stuck else UNEXPECTED)
            logger.error("the trainer %s in a job", "hangs" if is_stuck else "died")
        self._at_work = None
        self._shift += 1
        if self._own_thread:
            self._thread = threading.Thread(
                target=_train,
                args=(weakref.ref(self), self._shift, self._has_news, self._prepare_thread),
                daemon=True,
                name="trainer",
            )
            self._thread.start()

    def _is_stuck(self, now: float) -> bool:
        """Return whether the piece at work takes too long: by the processor, or in all."""
        if now - self._piece_began > self.limits.silent_seconds:
            return True
        try:
            return self._piece_worked() - self._worked_before > self.limits.stuck_seconds
        except OSError:
            return False  # the thread has ended

    def _slice(self, shift: int) -> float | None:
        """Give the next job its turn; return the seconds to rest, None for no job."""
        with self._lock:
            if shift != self._shift:
                return None
            self._jobs.settle(self._clock())
            job = self._jobs.places.next_turn()
        self._close_discarded()
        if job is None:
            return None
        left, patience = self.limits.slice_seconds, self.limits.give_way_seconds
        while left > 0:
            patience -= self._give_way(patience)
            begun = self._clock()
            if not self._piece(job, shift):
                break
            left -= self._clock() - begun
            if patience <= 0:
                break  # pages leave no gap, so the job gets one piece a turn
        has_given_way = self.limits.give_way_seconds - patience >= GLANCE_SECONDS
        return self.limits.busy_rest_seconds if has_given_way else self.limits.rest_seconds

    def _give_way(self, patience: float) -> float:
        """Wait while pages have precedence, at most `patience`; return the seconds waited."""
        begun = self._clock()
        while self._must_wait is not None and self._must_wait():
            if self._clock() - begun >= patience:
                break
            time.sleep(GLANCE_SECONDS)
        return self._clock() - begun

    def _piece(self, job: Job, shift: int) -> bool:
        """Do one piece of a job's work; return whether another may follow."""
        with self._lock:
            now = self._clock()
            is_free = shift == self._shift and self._at_work is None
            if not is_free or not self._jobs.may_go_on(job, now):
                return False
            self._at_work, self._piece_began, job.is_at_work = job, now, True
            self._piece_worked = processor_clock() if self._own_thread else self._clock
            self._worked_before = self._piece_worked()
            iterator, work = job.iterator, job.work
        iterator, snapshot, ending, message = next_piece(iterator, work)
        with self._lock:
            job.is_at_work = False
            if shift == self._shift:
                self._at_work = None
            if job.ending is None and ending is None:
                assert iterator is not None
                job.add_piece(iterator, snapshot)
                return True
            if job.ending is None and ending is not None:
                self._jobs.end(job, ending, message)
        close_work(iterator)
        return False

    def _close_discarded(self) -> None:
        places = self._jobs.places
        with self._lock:
            discarded, places.discarded = places.discarded, []
        for iterator in discarded:
            close_work(iterator)


def _close_service(service_of: Callable[[], TrainingService | None]) -> None:
    service = service_of()
    if service is not None:
        service.close()


def processor_clock() -> Callable[[], float]:
    """Return a clock of this thread's processor time, which other threads can read."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic  # Windows
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)


def _train(
    service_of: Callable[[], TrainingService | None],
    shift: int,
    has_news: threading.Event,
    prepare_thread: Callable[[], None] | None,
) -> None:
    """Train slice by slice until another thread has taken over or the service is gone.

    Between slices there is no reference to the service, so that an unused one is freed.
    """
    if prepare_thread is not None:
        prepare_thread()
    while True:
        service = service_of()
        if service is None or service._shift != shift:
            return
        rest_seconds = service._slice(shift)
        del service
        if rest_seconds is not None:
            time.sleep(rest_seconds)
        else:
            has_news.wait(LONGEST_SLEEP)
            has_news.clear()
