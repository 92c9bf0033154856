"""All jobs and tickets of a service, and when they are forgotten.

    start, join   a ticket for a new or an existing job; places.py decides when it runs
    no look for 3 min  ->  the ticket is forgotten; a job without tickets is dropped

When all tickets are taken, a new one replaces one that was not looked at for 30 s: first one of an
ended job, then of the owner with most tickets, then the oldest. An owner has at most 16.

Nothing runs in the background: `settle(now)` applies all rules at the time of the call.

Read before this: jobs.py, places.py.
"""

import secrets
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, Literal, NoReturn

from mlm_core.number_format import formatted, grouped
from pages.server.trainer.jobs import (
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
from pages.server.trainer.places import Places, held_bytes

TICKET_BYTES = 16  # 128 random bits can't be guessed


class Jobs:
    """All jobs and tickets of a service. Not thread-safe: the service holds a lock."""

    def __init__(self, limits: ServiceLimits) -> None:
        self.limits = limits
        self.jobs: list[Job] = []  # all there are, in order of their start
        self.tickets: dict[str, Ticket] = {}
        self.places = Places(limits)

    def start(
        self,
        key: Hashable,
        work: Work,
        now: float,
        *,
        cost: int = 0,
        extra: int = 0,
        kept: int = 0,
        owner: Hashable = None,
    ) -> str:
        """Return a new ticket for the job of this key, which is made if there is none."""
        self.settle(now)
        needed = cost + kept + extra
        if needed > self.limits.most_bytes:
            raise NoRoomError(
                f"this run needs {grouped(needed)} bytes and the trainer has"
                f" {grouped(self.limits.most_bytes)}: choose a smaller model or batch"
            )
        found = [j for j in self.jobs if j.key == key and j.ending in (None, "finished")]
        link = secrets.token_urlsafe(TICKET_BYTES)
        new = Job(key=key, link=link, cost=cost, extra=extra, kept=kept, work=work)
        job = found[0] if found else new
        name = self._give_ticket(job, owner, now)
        if not found:
            self.jobs.append(job)
        self.settle(now)
        return name

    def join(self, link: str, now: float, owner: Hashable = None) -> str:
        """Return a new ticket for the job of a link. Raises UnknownTicketError."""
        self.settle(now)
        job = next((job for job in self.jobs if job.link == link), None)
        if job is None:
            self._refuse_unknown()
        # A paused run stays paused when its page is reloaded or its link is opened.
        runs_until = max(ticket.runs_until for ticket in job.tickets.values())
        name = self._give_ticket(job, owner, now)
        self.tickets[name].runs_until = runs_until
        self.settle(now)
        return name

    def find(self, name: str, now: float) -> Ticket:
        """Return a ticket and note the look at it. Raises UnknownTicketError."""
        self.settle(now)
        ticket = self.tickets.get(name) if isinstance(name, str) else None
        if ticket is None:
            self._refuse_unknown()
        ticket.looked_at = now
        self.settle(now)
        return ticket

    def wish(self, name: str, now: float, n_more: float) -> None:
        """Note how many more pieces a ticket wants: 0 to pause, inf to run on."""
        ticket = self.find(name, now)
        ticket.runs_until = 0 if n_more == 0 else ticket.job.n_pieces + n_more
        self.settle(now)

    def leave(self, name: str, now: float) -> None:
        """Forget a ticket; a job without tickets is dropped."""
        self.find(name, now)
        self._forget(name)
        self.settle(now)

    def view(self, ticket: Ticket, now: float) -> View[Any]:
        """Return the state of a job, as one ticket sees it."""
        job = ticket.job
        status = self._status(job, now)
        return View(
            status=status,
            key=job.key,
            link=job.link,
            place=self.places.place_in_line(job) if status == "queued" else 0,
            snapshot=job.snapshot,
            n_pieces=job.n_pieces,
            message=job.message,
            n_watchers=job.n_watchers(now, self.limits),
            wants_pause=not ticket.wants_more and job.ending is None,
            n_running=len(self.places.running),
            is_repeating=job.n_made < job.n_to_repeat,
        )

    def settle(self, now: float) -> None:
        """Forget expired tickets, pause unwanted jobs, start waiting ones."""
        for name, ticket in list(self.tickets.items()):
            has_ended = ticket.job.ending is not None
            keep = self.limits.keep_seconds if has_ended else self.limits.drop_seconds
            if now - ticket.looked_at > keep:
                self._forget(name)
        self.places.settle(self.jobs, now)
        self.keep_at_most(self.limits.most_kept_bytes)

    def may_go_on(self, job: Job, now: float) -> bool:
        """Return whether a job that has its turn may do another piece."""
        return job in self.places.running and job.is_wanted(now, self.limits)

    def end(self, job: Job, ending: Literal["finished", "failed"], message: str = "") -> None:
        """Note that a job has ended; only its last snapshot stays."""
        self._release(job, ending)
        job.message = message

    def keep_at_most(self, most_bytes: int) -> None:
        """Forget jobs that hold only a snapshot until those left keep no more.

        They have ended or are parked. Those not looked at for longest go first.
        """
        ended = sorted((j for j in self.jobs if j.is_snapshot_only), key=lambda j: j.last_look)
        n_kept, n_bytes = len(ended), sum(j.kept for j in ended)
        for old in ended:
            if n_kept <= self.limits.most_finished and n_bytes <= most_bytes:
                return
            n_kept, n_bytes = n_kept - 1, n_bytes - old.kept
            for name in list(old.tickets):
                self._forget(name)

    def standing(self, now: float) -> Standing:
        """Return the state of all jobs in numbers."""
        self.settle(now)
        ended = [job for job in self.jobs if job.ending]
        return Standing(
            n_running=len(self.places.running),
            n_in_line=sum(job.is_wanted(now, self.limits) for job in self.places.line),
            n_ended=len(ended),
            n_tickets=len(self.tickets),
            held_bytes=held_bytes([job for job in self.jobs if job.holds_memory]),
            kept_bytes=sum(job.kept for job in self.jobs if job.is_snapshot_only),
        )

    def drop_all(self) -> None:
        """Forget every ticket, and so every job."""
        for name in list(self.tickets):
            self._forget(name)

    def _refuse_unknown(self) -> NoReturn:
        raise UnknownTicketError(
            "this run is not here any more; one that nobody looks at is dropped after"
            f" {formatted(self.limits.drop_seconds / 60, '.0f')} minutes: start it again"
        )

    def _give_ticket(self, job: Job, owner: Hashable, now: float) -> str:
        """Return a new ticket. Raises NoRoomError if all are taken and in use."""
        limits, name = self.limits, secrets.token_urlsafe(TICKET_BYTES)
        own = [one for one, ticket in self.tickets.items() if ticket.owner == owner]
        if owner is not None and len(own) >= limits.most_tickets_of_owner:
            if not self._forget_spare(own, job, now):
                raise NoRoomError(
                    f"you have {len(own)} runs at the trainer, which are all that one visit may"
                    " have: remove one"
                )
        elif len(self.tickets) >= limits.most_tickets:
            if not self._forget_spare(self.tickets, job, now):
                raise NoRoomError(
                    f"all {limits.most_tickets} places at the trainer are taken: try again in"
                    " a few minutes"
                )
        # Without an owner a ticket is its own owner.
        ticket = Ticket(job=job, owner=name if owner is None else owner, looked_at=now)
        self.tickets[name] = job.tickets[name] = ticket
        return name

    def _forget_spare(self, names: Iterable[str], but_of: Job, now: float) -> bool:
        """Forget the ticket to replace, as the module says; return whether there is one."""
        n_tickets = Counter(ticket.owner for ticket in self.tickets.values())
        spare = {
            name: (ticket.job.ending is None, -n_tickets[ticket.owner], ticket.looked_at)
            for name in names
            if now - (ticket := self.tickets[name]).looked_at > self.limits.spare_seconds
            and not (ticket.job is but_of and len(but_of.tickets) == 1)
        }
        if spare:
            self._forget(min(spare, key=spare.__getitem__))
        return bool(spare)

    def _status(self, job: Job, now: float) -> Status:
        if job.ending in ("finished", "failed"):
            return job.ending
        if not job.is_wanted(now, self.limits):
            return "paused"
        return "running" if job in self.places.running else "queued"

    def _forget(self, name: str) -> None:
        job = self.tickets.pop(name).job
        del job.tickets[name]
        if not job.tickets:
            self.jobs.remove(job)
            if job.ending is None:
                self._release(job, "dropped")
            job.snapshot = None

    def _release(self, job: Job, ending: Literal["finished", "failed", "dropped"]) -> None:
        job.ending = ending
        # A running generator can't be closed here; the trainer closes it when it sees the ending.
        if job.iterator is not None and not job.is_at_work:
            self.places.discarded.append(job.iterator)
        job.iterator = job.work = None
        self.places.leave(job)
