"""Whose page is drawn next, and whether one is drawn this moment.

A page is drawn by a thread, and threads share one interpreter: a learner's page sends a hundred
messages, and before each of them all other threads may run. So at most `PLACES` pages are drawn
at once. Of those that wait, the visit goes first that took least of late: it is charged with the
processor time of its pages, and a little for each request, also for one that the door merges with
the next. So somebody who changes something every few seconds goes before tabs that ask without
rest, however many they are. Visits over `ALLOWANCE_SECONDS` are drawn one at a time, with a rest
after each, and training does not give way to them.
A page that takes longer than `LONG_SECONDS` no longer holds a place: two long computations don't
stop a class. One that took `LARGE_SECONDS` of a processor holds one of `LARGE_PLACES` more, so that
small pages don't wait for it.

What is drawn has to be sent, too, by one loop for all visits, one message after the other. Where
pages are drawn faster than that, a learner's page waits behind all of them: 21 seconds, beside
twenty tabs that asked five times a second. So a page holds its place until it was sent, or for
`SEND_SECONDS`; the door sees its last message. And a visit's next request waits at the door while
its last page does: else it would end that page half drawn, again and again, and most work would be
for pages that nobody sees. What is asked for after that is merged by Streamlit, so no change is
lost.

A page that has many sentences read holds a lock meanwhile (`LongWork`). Of those that wait for it
the visit goes first that took least of late, too. Twenty tabs that ever had new texts read kept a
learner's new vocabulary waiting for 19 seconds. What no visit waits for goes last.

Pages and their parts take turns by themselves (pages/server/frame/page_frame.py); what Streamlit
does before a page begins is charged with it, and goes on without a place.

Read before this: door.py, which counts what is asked for.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pages.server.trainer.service import processor_clock

PLACES = 2
LONG_SECONDS = 1.0  # a page takes 0.05
LARGE_SECONDS, LARGE_PLACES = 0.1, 2  # of a processor, of which a page takes 0.02
SEND_SECONDS = 0.25  # that a place is held for what its page has drawn to be sent
KEPT_SECONDS = 0.5  # that a page is drawn until its visit's next request may end it
HALF_LIFE_SECONDS = 30.0  # in which half of what a visit took is forgotten
# That a visit begins with: who is here goes before ever new tabs. Its first page is in it, since a
# new process loads then what all later pages have, and who comes first would wait for all others.
NEW_VISIT_SECONDS = 1.0
REQUEST_SECONDS = 0.05  # that a request costs beside its page's processor time
# A learner who watches a run in a room asks for 1.3 small pages a second: these add up to 4.
ALLOWANCE_SECONDS = 6.0
REST_TIMES, LONGEST_REST = 3.0, 1.0  # of the seconds for which a page over it was drawn; seconds
BURST, PER_SECOND = 40.0, 5.0  # runs of one visit; a slider that is dragged asks for five a second
LONGEST_WAIT = 10.0  # seconds; who waited longer goes first, whatever they used
GLANCE_SECONDS = 0.02  # between looks at what the time has changed, of all that wait together
PATIENCE_SECONDS = 1.0  # that training waits for pages, which may leave no gap
END_SECONDS = 5.0  # that a server that is stopped waits for pages


@dataclass(eq=False)
class _Run:
    """One run of a page's script, or of a part of it, that waits or goes on."""

    visit: Hashable
    asked: float
    is_over_allowance: bool
    worked: Callable[[], float]  # the processor time of its thread
    worked_before: float
    began: float = 0.0
    ended: float | None = None  # when all was drawn, which is to be sent
    may_begin: threading.Event = field(default_factory=threading.Event)


@dataclass
class _Request:
    """What a tab asked for."""

    asked: float
    begun: float | None = None  # when its first run was; a page may draw itself again


@dataclass
class _Account:
    """What one visit took, in processor seconds and in runs, as it stood at a time."""

    at: float
    seconds: float = NEW_VISIT_SECONDS
    runs: float = 0.0
    has_drawn: bool = False

    def bring_up_to(self, now: float) -> None:
        """Forget what is regained by now."""
        self.seconds *= 0.5 ** ((now - self.at) / HALF_LIFE_SECONDS)
        self.runs = max(0.0, self.runs - PER_SECOND * (now - self.at))
        self.at = now

    def is_empty(self) -> bool:
        return self.seconds < 0.001 and not self.runs


class Turns:
    """The runs of one server's pages: those that wait for a place and those that have one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[_Run] = []
        self._running: list[_Run] = []
        self._accounts: dict[Hashable, _Account] = {}
        self._unsent: dict[Hashable, _Request] = {}  # by visit: its last one, not all of it sent
        self._rests_until = 0.0  # those over their allowance
        self._thread = threading.local()

    @contextmanager
    def turn(self, visit: Hashable | None) -> Iterator[None]:
        """Wait for a place, hold it, and charge the visit with the thread's processor time.

        A part inside of a page has the page's turn. `visit` is None where nobody waits: in a test.
        """
        if visit is None or getattr(self._thread, "has_turn", False):
            yield
            return
        run = self._begin(visit)
        self._thread.has_turn = True
        try:
            yield
        finally:
            self._thread.has_turn = False
            self._end(run)

    def charge(self, visit: Hashable) -> None:
        """Charge a visit with a request for a run."""
        with self._lock:
            self._account(visit).seconds += REQUEST_SECONDS

    def count_request(self, visit: Hashable) -> None:
        """Charge a visit with a request that is handed on."""
        self.charge(visit)
        with self._lock:
            self._unsent[visit] = _Request(self._clock())

    def is_under_way(self, visit: Hashable) -> bool:
        """Return whether what a visit asked for last waits, or has only just begun to be drawn."""
        with self._lock:
            request = self._unsent.get(visit)
            if request is None:
                return False
            waits = any(run.visit == visit for run in self._waiting)
            return waits or self._clock() - (request.begun or request.asked) < KEPT_SECONDS

    def count_sent(self, visit: Hashable) -> None:
        """Note that all that a visit's last run drew has been sent."""
        with self._lock:
            self._unsent.pop(visit, None)
            self._give_back(visit)
            self._admit()

    def taken(self, visit: Hashable) -> float:
        """Return the processor seconds that a visit took of late."""
        with self._lock:
            return self._account(visit).seconds

    def goes_on(self) -> bool:
        """Return whether a page is being drawn that has precedence over training."""
        running = tuple(self._running)
        return any(not run.is_over_allowance for run in running if run.ended is None)

    def are_at_work(self) -> bool:
        """Return whether a page is being drawn, or waits for its turn."""
        return bool(self._waiting) or any(run.ended is None for run in tuple(self._running))

    def _begin(self, visit: Hashable) -> _Run:
        with self._lock:
            is_over = self._account(visit).seconds > ALLOWANCE_SECONDS
            worked = processor_clock()
            run = _Run(visit, self._clock(), is_over, worked, worked())
            self._give_back(visit)
            self._waiting.append(run)
            self._admit()
        while not run.may_begin.wait(GLANCE_SECONDS * max(1, len(self._waiting))):
            with self._lock:
                self._admit()
        return run

    def _end(self, run: _Run) -> None:
        # What Streamlit does between two runs of this thread is charged with the second.
        used, before = time.thread_time(), getattr(self._thread, "charged", 0.0)
        self._thread.charged = used
        with self._lock:
            run.ended = self._clock()
            if run.is_over_allowance:
                rest = min(LONGEST_REST, REST_TIMES * (run.ended - run.began))
                self._rests_until = run.ended + rest
            if run.visit not in self._unsent:
                self._running.remove(run)
            account = self._account(run.visit)
            account.seconds += (used - before) * account.has_drawn
            account.has_drawn = True
            for visit in list(self._accounts):
                if self._account(visit).is_empty():
                    del self._accounts[visit]
            self._admit()

    def _give_back(self, visit: Hashable) -> None:
        """Give back the places of a visit's pages that are drawn."""
        self._running = [r for r in self._running if r.visit != visit or r.ended is None]

    def _account(self, visit: Hashable) -> _Account:
        account = self._accounts.setdefault(visit, _Account(self._clock()))
        account.bring_up_to(self._clock())
        return account

    def _admit(self) -> None:
        """Give the free places to those whose turn it is."""
        now = self._clock()
        self._running = [
            one for one in self._running if one.ended is None or now - one.ended < SEND_SECONDS
        ]
        for run in sorted(self._waiting, key=lambda run: self._order(run, now)):
            if self._has_place(run, now) and self._account(run.visit).runs < BURST:
                self._account(run.visit).runs += 1
                self._waiting.remove(run)
                self._running.append(run)
                run.began = now
                if (request := self._unsent.get(run.visit)) and request.begun is None:
                    request.begun = now
                run.may_begin.set()

    def _order(self, run: _Run, now: float) -> tuple[bool, float, float]:
        has_patience = now - run.asked < LONGEST_WAIT
        return has_patience, self._account(run.visit).seconds, run.asked

    def _has_place(self, run: _Run, now: float) -> bool:
        if run.is_over_allowance and now - run.asked < LONGEST_WAIT:
            one_runs = any(other.is_over_allowance for other in self._running)
            if one_runs or now < self._rests_until:
                return False
        holding = [other for other in self._running if now - other.began < LONG_SECONDS]
        n_large = sum(_is_large(other) for other in holding)
        return len(holding) - min(n_large, LARGE_PLACES) < PLACES


def _is_large(run: _Run) -> bool:
    # Its thread is there until it has ended, so its clock goes.
    return run.ended is None and run.worked() - run.worked_before >= LARGE_SECONDS


class LongWork:
    """A lock; of those that wait for it, the visit has it next that took least of late.

    Who waited `LONGEST_WAIT` goes before, whatever they took; a thread of no visit goes last.
    """

    def __init__(
        self,
        visit: Callable[[], Hashable | None],
        taken: Callable[[Hashable], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`visit` returns whose thread this is, `taken` what a visit took."""
        self._visit, self._taken, self._clock = visit, taken, clock
        self._lock, self._is_held = threading.Lock(), False
        self._waiting: list[tuple[Hashable | None, float, threading.Event]] = []

    def acquire(self) -> None:
        """Wait until the lock is free and no other visit comes first."""
        has_it = threading.Event()
        with self._lock:
            if not self._is_held:
                self._is_held = True
                return
            self._waiting.append((self._visit(), self._clock(), has_it))
        has_it.wait()

    def release(self) -> None:
        """Hand the lock on."""
        with self._lock:
            self._is_held = bool(self._waiting)
            if self._waiting:
                first = min(self._waiting, key=lambda one: self._order(*one))
                self._waiting.remove(first)
                first[2].set()

    def _order(
        self, visit: Hashable | None, asked: float, _: threading.Event
    ) -> tuple[bool, bool, float]:
        # Readiness asks for the lock a hundred times, and none of it is charged.
        if visit is None:
            return True, True, asked
        return False, self._clock() - asked < LONGEST_WAIT, self._taken(visit)

    def locked(self) -> bool:
        """Return whether somebody has it."""
        return self._is_held

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


_turns = Turns()
turn, taken, goes_on = _turns.turn, _turns.taken, _turns.goes_on
charge, count_request, count_sent = _turns.charge, _turns.count_request, _turns.count_sent
is_under_way = _turns.is_under_way


def let_end() -> None:
    """Wait for pages, but not for ever: Python aborts at its exit while a thread is in torch.

    Streamlit has asked them to stop when it closed their connections: they do with what they send
    next, so what is waited for is what they compute.
    """
    stop_at = time.monotonic() + END_SECONDS
    while _turns.are_at_work() and time.monotonic() < stop_at:
        time.sleep(GLANCE_SECONDS)


def let_pass() -> None:
    """Wait while a page is being drawn, but not for ever."""
    stop_at = time.monotonic() + PATIENCE_SECONDS
    while goes_on() and time.monotonic() < stop_at:
        time.sleep(GLANCE_SECONDS)
