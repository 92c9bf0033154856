"""One trainer for the whole server: every learner's training in turn, on one thread.

    service = TrainingService(ServiceLimits())
    ticket = service.start(key, work, cost, owner=visit)  # work() gives a generator, see jobs.py
    view = service.look(ticket)                    # at once, whatever the trainer is doing

Two busy Python threads slow a page's answer from 50 ms to a second, thirty stop the app; so
there is one, which gives each job a slice of 150 ms and rests 50 ms after it. Before each piece
of work it lets those pass who are answered in a moment, and after a slice in which it had to it
rests for longer. One lock guards the bookkeeping and is never held while a job works, so that
looking never waits for a step.

The trainer is watched by those who look: if its thread has died, or hangs in one piece of
work, the job at fault has failed and a new thread takes over. What the old one may still
bring is thrown away.

Limits: a piece of work can't be interrupted, so a job that hangs keeps its old thread and
memory until the piece ends. Nothing survives the process.

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

from mlm_core.classroom.jobs import (
    UNEXPECTED,
    Job,
    ServiceLimits,
    Standing,
    View,
    Work,
    close_work,
    next_piece,
)
from mlm_core.classroom.jobs_in_line import Jobs

logger = logging.getLogger(__name__)

GLANCE_SECONDS = 0.005  # between two looks whether somebody still has precedence
LONGEST_SLEEP = 1.0  # seconds without work until the trainer looks whom to forget


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
        """`must_wait` says whether somebody has precedence; it is asked before each piece.

        `prepare_thread` is called once by each thread that trains, the first and those that
        take over, before its first piece: for the thread's priority, say.
        """
        self.limits = limits or ServiceLimits()
        self._clock = clock
        self._own_thread = own_thread
        self._must_wait = must_wait
        self._prepare_thread = prepare_thread
        self._lock = threading.Lock()
        self._jobs = Jobs(self.limits)
        self._thread: threading.Thread | None = None
        self._shift = 0  # grows with every new trainer; an old one sees that it is over
        self._at_work: Job | None = None
        self._piece_began = 0.0
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
        """Return a ticket of one's own for the job of a link (`View.link`).

        Raises UnknownTicketError if there is no such job any more, NoRoomError.
        """
        with self._lock:
            self._refuse_if_closed()
            ticket = self._jobs.join(link, self._clock(), owner)
            self._watch()
        self._has_news.set()
        return ticket

    def look(self, ticket: str) -> View[Any]:
        """Return how a job stands; this is what keeps it going. Raises UnknownTicketError."""
        with self._lock:
            self._watch()
            now = self._clock()
            view = self._jobs.view(self._jobs.find(ticket, now), now)
        if view.status == "running":
            self._has_news.set()
        return view

    def pause(self, ticket: str) -> None:
        """Note that this learner wants the job to rest. Raises UnknownTicketError."""
        self._wish(ticket, 0)

    def resume(self, ticket: str) -> None:
        """Note that this learner wants the job to go on. Raises UnknownTicketError."""
        self._wish(ticket, math.inf)

    def step(self, ticket: str, n_pieces: int = 1) -> None:
        """Ask for so many pieces and then a rest. Raises UnknownTicketError."""
        if n_pieces < 1:
            raise ValueError(f"{n_pieces} pieces of work: ask for at least 1")
        self._wish(ticket, n_pieces)

    def cancel(self, ticket: str) -> None:
        """Give the job up for this learner, who still sees what there was.

        A job that all have given up is dropped. Raises UnknownTicketError.
        """
        with self._lock:
            self._jobs.cancel(ticket, self._clock())
        self._has_news.set()

    def leave(self, ticket: str) -> None:
        """Forget a ticket. Raises UnknownTicketError."""
        with self._lock:
            self._jobs.leave(ticket, self._clock())
        self._has_news.set()

    def standing(self) -> Standing:
        """Return how the service stands, in numbers; no look that keeps a job going."""
        with self._lock:
            return self._jobs.standing(self._clock())

    def keep_at_most(self, most_bytes: int) -> None:
        """Forget ended jobs until the snapshots of those left take no more memory."""
        with self._lock:
            self._jobs.keep_at_most(most_bytes)

    def close(self, patience_seconds: float = 5.0) -> None:
        """Drop all jobs and end the trainer, waiting a while for its piece of work."""
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

        For whoever made the service without a thread of its own.
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
        """Put a new trainer in the place of one that died or hangs, if so. Needs the lock."""
        if self._is_closed:
            return
        job, now = self._at_work, self._clock()
        is_stuck = job is not None and now - self._piece_began > self.limits.stuck_seconds
        is_missing = self._own_thread and (self._thread is None or not self._thread.is_alive())
        if not is_stuck and not is_missing:
            return
        if job is not None:
            job.is_at_work = is_stuck and not is_missing
            seconds = self.limits.stuck_seconds
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

    def _slice(self, shift: int) -> float | None:
        """Give the next job its turn; return the seconds to rest then, None if there was none."""
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
                break  # whoever has precedence leaves no gap: a piece now and then is its due
        has_given_way = self.limits.give_way_seconds - patience >= GLANCE_SECONDS
        return self.limits.busy_rest_seconds if has_given_way else self.limits.rest_seconds

    def _give_way(self, patience: float) -> float:
        """Wait while somebody has precedence, but not for ever; return the seconds it took."""
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
            iterator, work = job.iterator, job.work
        iterator, snapshot, ending, message = next_piece(iterator, work)
        with self._lock:
            job.is_at_work = False
            if shift == self._shift:
                self._at_work = None
            if job.ending is None and ending is None:
                job.add_piece(iterator, snapshot)
                return True
            if job.ending is None:
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


def _train(
    service_of: Callable[[], TrainingService | None],
    shift: int,
    has_news: threading.Event,
    prepare_thread: Callable[[], None] | None,
) -> None:
    """Live as a trainer: a slice, a rest, until another has taken over or the service is gone.

    Between slices the service isn't held, so that one nobody uses any more can go.
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
