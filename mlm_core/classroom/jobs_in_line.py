"""Who runs, who waits in line, who rests, who is forgotten: the bookkeeping of the service.

    look  ->  the job is wanted  ->  in line  ->  a place among the running  ->  turns
    no look for 10 s, or a wish to rest  ->  paused, the place is free
    no look for 3 min  ->  the ticket is forgotten; a job without tickets is dropped

Turns go round: whoever had one goes to the end. The line is first come, first served, with
one exception: a job that waits for memory lets those pass who already hold theirs. Nothing
happens by itself here: `settle(now)` puts everything right for the moment it is called.

Source: round-robin time sharing, as every textbook of operating systems has it.

Read before this: jobs.py.
"""

import secrets
from collections import deque
from collections.abc import Hashable, Iterator
from typing import Any, Literal

from mlm_core.classroom.jobs import (
    Job,
    NoRoomError,
    ServiceLimits,
    Standing,
    Status,
    Ticket,
    UnknownTicketError,
    View,
    Work,
)

TICKET_BYTES = 16  # 128 bits of chance: nobody guesses one


class Jobs:
    """All jobs and tickets of a service. Not safe for threads: the service holds a lock."""

    def __init__(self, limits: ServiceLimits) -> None:
        self.limits = limits
        self.jobs: list[Job] = []  # all there are, in order of their start
        self.tickets: dict[str, Ticket] = {}
        self.running: deque[Job] = deque()  # next turn first
        self.line: list[Job] = []
        # Closing a generator may take long, so the trainer does it, not who drops it.
        self.discarded: list[Iterator] = []

    def start(self, key: Hashable, work: Work, cost: int, now: float, kept: int = 0) -> str:
        """Return a new ticket for the job of this key, which begins if there is none."""
        self.settle(now)
        if len(self.tickets) >= self.limits.most_tickets:
            raise NoRoomError(
                f"all {self.limits.most_tickets} places at the trainer are taken: try again in"
                " a few minutes"
            )
        if cost > self.limits.most_bytes:
            raise NoRoomError(
                f"this run needs {cost:,} bytes and the trainer has {self.limits.most_bytes:,}:"
                " choose a smaller model or batch"
            )
        found = [j for j in self.jobs if j.key == key and j.ending in (None, "finished")]
        job = found[0] if found else Job(key=key, cost=cost, kept=kept, work=work)
        if not found:
            self.jobs.append(job)
        name = secrets.token_urlsafe(TICKET_BYTES)
        self.tickets[name] = job.tickets[name] = Ticket(job=job, looked_at=now)
        self.settle(now)
        return name

    def find(self, name: str, now: float) -> Ticket:
        """Return a ticket and note that somebody looks at it. Raises UnknownTicketError."""
        self.settle(now)
        ticket = self.tickets.get(name) if isinstance(name, str) else None
        if ticket is None:
            raise UnknownTicketError(
                "this run is not here any more; one that nobody looks at is dropped after"
                f" {self.limits.drop_seconds / 60:.0f} minutes: start it again"
            )
        ticket.looked_at = now
        self.settle(now)
        return ticket

    def wish(self, name: str, now: float, n_more: float) -> None:
        """Note how many pieces a ticket wants from now on: 0 to rest, inf to run on."""
        ticket = self.find(name, now)
        ticket.runs_until = 0 if n_more == 0 else ticket.job.n_pieces + n_more
        self.settle(now)

    def cancel(self, name: str, now: float) -> None:
        """Take a ticket off its job for good; the ticket keeps what it last saw."""
        ticket = self.find(name, now)
        if ticket.last_view is None and ticket.job.ending is None:
            ticket.last_view = self._view(ticket, now, "cancelled")
            self._detach(name, ticket)
            self.settle(now)

    def leave(self, name: str, now: float) -> None:
        """Forget a ticket; a job without tickets is dropped."""
        self.find(name, now)
        self._forget(name)
        self.settle(now)

    def view(self, ticket: Ticket, now: float) -> View:
        """Return how a job stands, as one ticket sees it."""
        return ticket.last_view or self._view(ticket, now, self._status(ticket.job, now))

    def settle(self, now: float) -> None:
        """Forget who is gone, pause who is not wanted, let in whoever there is room for."""
        for name, ticket in list(self.tickets.items()):
            has_finished = ticket.last_view is None and ticket.job.ending is not None
            keep = self.limits.keep_seconds if has_finished else self.limits.drop_seconds
            if now - ticket.looked_at > keep:
                self._forget(name)
        for job in self.jobs:
            is_wanted = job.is_wanted(now, self.limits)
            if not is_wanted and job in self.running:
                self.running.remove(job)
            # Who stops looking while in line keeps the place, but is passed over meanwhile.
            elif is_wanted and job not in self.running and job not in self.line:
                job.in_line_since = now
                self.line.append(job)
        self._let_in(now)

    def next_turn(self) -> Job | None:
        """Return whose turn it is; that job goes to the end."""
        if not self.running:
            return None
        self.running.rotate(-1)
        return self.running[-1]

    def may_go_on(self, job: Job, now: float) -> bool:
        """Return whether a job that has its turn may do another piece."""
        return job in self.running and job.is_wanted(now, self.limits)

    def end(self, job: Job, ending: Literal["finished", "failed"], message: str = "") -> None:
        """Note that a job has ended; its last snapshot stays, all else is let go."""
        self._release(job, ending)
        job.message = message
        self.keep_at_most(self.limits.most_kept_bytes)

    def keep_at_most(self, most_bytes: int) -> None:
        """Forget ended jobs until those left keep no more; first whom nobody looked at longest."""
        ended = sorted((j for j in self.jobs if j.ending), key=lambda j: j.last_look)
        n_kept, n_bytes = len(ended), sum(j.kept for j in ended)
        for old in ended:
            if n_kept <= self.limits.most_finished and n_bytes <= most_bytes:
                return
            n_kept, n_bytes = n_kept - 1, n_bytes - old.kept
            for name in list(old.tickets):
                self._forget(name)

    def standing(self, now: float) -> Standing:
        """Return how all jobs stand, in numbers."""
        self.settle(now)
        ended = [job for job in self.jobs if job.ending]
        return Standing(
            n_running=len(self.running),
            n_in_line=sum(job.is_wanted(now, self.limits) for job in self.line),
            n_ended=len(ended),
            n_tickets=len(self.tickets),
            held_bytes=sum(job.cost for job in self.jobs if job.holds_memory),
            kept_bytes=sum(job.kept for job in ended),
        )

    def drop_all(self) -> None:
        """Forget every ticket, and so every job."""
        for name in list(self.tickets):
            self._forget(name)

    def _let_in(self, now: float) -> None:
        held = sum(job.cost for job in self.jobs if job.holds_memory)
        is_memory_short = False
        for job in [j for j in self.line if j.is_wanted(now, self.limits)]:
            if len(self.running) >= self.limits.most_running:
                return
            needed = 0 if job.holds_memory else job.cost
            if needed and (is_memory_short or held + needed > self.limits.most_bytes):
                is_memory_short = True  # nobody smaller slips past, or the large would starve
                continue
            held += needed
            job.has_begun = True
            self._take_out_of_line(job, now)
            self.running.append(job)

    def _take_out_of_line(self, job: Job, now: float) -> None:
        self.line.remove(job)
        if job.in_line_since is not None:
            job.waited_seconds += now - job.in_line_since
        job.in_line_since = None

    def _status(self, job: Job, now: float) -> Status:
        if job.ending in ("finished", "failed"):
            return job.ending
        if not job.is_wanted(now, self.limits):
            return "paused"
        return "running" if job in self.running else "queued"

    def _view(self, ticket: Ticket, now: float, status: Status) -> View[Any]:
        job = ticket.job
        ahead = [j for j in self.line if j.is_wanted(now, self.limits)]
        since = job.in_line_since
        return View(
            status=status,
            place=ahead.index(job) + 1 if status == "queued" else 0,
            snapshot=job.snapshot,
            n_pieces=job.n_pieces,
            message=job.message,
            n_watchers=job.n_watchers(now, self.limits),
            waited_seconds=job.waited_seconds + (0.0 if since is None else now - since),
            asked_pause=not ticket.wants_more and job.ending is None,
            share=len(self.running),
        )

    def _forget(self, name: str) -> None:
        self._detach(name, self.tickets.pop(name))

    def _detach(self, name: str, ticket: Ticket) -> None:
        job = ticket.job
        job.tickets.pop(name, None)
        if not job.tickets and job in self.jobs:
            self.jobs.remove(job)
            if job.ending is None:
                self._release(job, "dropped")
            job.snapshot = None

    def _release(self, job: Job, ending: Literal["finished", "failed", "dropped"]) -> None:
        job.ending = ending
        # A generator that is running can't be closed; whoever runs it sees the ending and does.
        if job.iterator is not None and not job.is_at_work:
            self.discarded.append(job.iterator)
        job.iterator = job.work = None
        for place in (self.running, self.line):
            if job in place:
                place.remove(job)
