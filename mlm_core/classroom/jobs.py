"""What a training job is to those who wait for it: a piece of work at a time, a ticket, a view.

    work     a function that gives a generator; each next() does one small piece of work (a
             training step) and yields a snapshot, which nobody changes afterwards
    job      one such generator, and all who asked for it
    ticket   the secret word by which one learner gets at one job
    link     the secret word of a job itself: for it anybody gets a ticket of their own
    owner    who holds tickets, such as a visit; any hashable value
    view     what a learner sees: how the job stands, and its latest snapshot

Who asks for what is running already gets a ticket for the same job. Each ticket carries its
own wish (go on, rest, so many pieces more): a job goes on while one learner who looks at it
wants it to. Looking is the sign of life, so a closed tab needs no farewell.

A job whose memory others need is parked: its generator goes, its snapshot stays. Later `work`
gives a new generator, which repeats the pieces done so far. So work must give the same pieces
each time; that of a training run does, since all its draws come from its seed.

A link can be passed on: its readers look, pause and leave by their own tickets, and nothing
that they do takes the job from the sender.

Nothing here knows of models, threads or pages; time is an argument.

Source: tickets nobody can guess follow the "capability URLs" of the W3C TAG (2014).

Read before this: ../training/loop.py.
"""

import logging
import math
import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Literal, TypeVar

logger = logging.getLogger(__name__)

S = TypeVar("S")
Work = Callable[[], Iterator[S]]
Status = Literal["queued", "running", "paused", "finished", "failed", "cancelled"]
UNEXPECTED = "stopped by an unexpected error"


class UnknownTicketError(ValueError):
    """There is no such ticket, or no longer; the message says what to do."""


class NoRoomError(ValueError):
    """The service takes no more; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class ServiceLimits:
    """How much one server trains at once, and for how long it waits for whom."""

    slice_seconds: float = 0.15  # of work on one job before the next has its turn
    rest_seconds: float = 0.05  # after each slice, so that pages stay quick
    busy_rest_seconds: float = 0.15  # after a slice that had to give way
    give_way_seconds: float = 0.5  # that a slice waits in all for those who have precedence
    idle_seconds: float = 10.0  # without a look until a job pauses
    spare_seconds: float = 30.0  # without a look until a ticket makes room for a new one
    drop_seconds: float = 180.0  # without a look until a ticket is forgotten
    keep_seconds: float = 1800.0  # the same for the ticket of a finished job
    stuck_seconds: float = 30.0  # for one piece of work, after which its job has failed
    place_seconds: float = 30.0  # with a place or memory until a job makes room for another
    most_running: int = 20  # jobs that take turns
    most_running_of_owner: int = 2
    most_finished: int = 40  # jobs kept after their end, those looked at last
    most_kept_bytes: int = 100_000_000  # of their snapshots and parked jobs' together
    most_bytes: int = 280_000_000  # of all jobs that have begun and not ended
    most_tickets: int = 400
    most_tickets_of_owner: int = 16

    def turn_seconds(self, n_jobs: int) -> float:
        """Return what a slice and its rest take: where several train, others look at pages."""
        return self.slice_seconds + (self.busy_rest_seconds if n_jobs > 1 else self.rest_seconds)

    def __post_init__(self) -> None:
        """Refuse limits under which nothing could run."""
        for one in fields(self):
            value = getattr(self, one.name)
            if not (value > 0 or (value == 0 and one.name == "rest_seconds")):
                raise ValueError(f"{one.name} is {value}: take a number above 0")


@dataclass(frozen=True, kw_only=True)
class View(Generic[S]):
    """How a job stands, as one ticket sees it."""

    status: Status
    key: Hashable  # what was asked for
    link: str  # the job's word, to pass on
    # In the line, 1 is next. 0: not in line, or passed over while its owner has two running.
    place: int
    snapshot: S | None  # None before the first piece is done
    n_pieces: int  # done so far
    message: str  # why it failed, else ""
    n_watchers: int  # tickets that were looked at lately, this one included
    waited_seconds: float  # in the line, so far or before it began
    asked_pause: bool  # this ticket wants the job to rest; others may keep it running
    proportion: int  # jobs that take turns now
    is_repeating: bool = False  # the pieces it had done before it was parked


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How the whole service stands, in numbers: for whoever runs the server."""

    n_running: int = 0  # jobs that take turns
    n_in_line: int = 0
    n_ended: int = 0  # jobs whose last snapshot is kept
    n_tickets: int = 0
    held_bytes: int = 0  # of jobs that have begun and not ended
    kept_bytes: int = 0  # of the ended ones' snapshots


@dataclass(eq=False, kw_only=True)
class Ticket(Generic[S]):
    """One learner's interest in a job."""

    job: "Job[S]"
    owner: Hashable
    looked_at: float
    runs_until: float = math.inf  # pieces it wants done in all: 0 to rest, inf to run on
    last_view: View[S] | None = None  # once it is cancelled

    @property
    def wants_more(self) -> bool:
        """Return whether the job should go on for this ticket's sake."""
        return self.job.n_pieces < self.runs_until


@dataclass(eq=False, kw_only=True)
class Job(Generic[S]):
    """One generator, and all who asked for it."""

    key: Hashable
    link: str
    cost: int  # bytes from its first turn to its end
    work: Work[S] | None  # let go, with the generator, when the job has ended
    extra: int = 0  # bytes more while a piece of it is done; one job works at a time
    kept: int = 0  # bytes of its snapshot
    iterator: Iterator[S] | None = None  # made with the first piece
    tickets: dict[str, Ticket[S]] = field(default_factory=dict)
    snapshot: S | None = None
    n_pieces: int = 0
    ending: Literal["finished", "failed", "dropped"] | None = None
    message: str = ""
    n_made: int = 0  # pieces that the present generator has given
    n_to_repeat: int = 0  # of them, those that a generator before it had given
    has_begun: bool = False  # it had a turn, so it holds memory
    is_at_work: bool = False  # its generator is running this very moment
    memory_since: float = 0.0
    running_since: float = 0.0
    in_line_since: float | None = None
    waited_seconds: float = 0.0

    @property
    def holds_memory(self) -> bool:
        """Return whether its cost counts."""
        return self.has_begun and self.ending is None

    @property
    def last_look(self) -> float:
        """Return when one of its tickets was last looked at."""
        return max(ticket.looked_at for ticket in self.tickets.values())

    @property
    def is_snapshot_only(self) -> bool:
        """Return whether its snapshot is all it holds: it has ended, or is parked."""
        return self.ending is not None or (self.snapshot is not None and not self.has_begun)

    def add_piece(self, iterator: Iterator[S], snapshot: S) -> None:
        """Note that its generator has given one more piece, new or repeated."""
        self.iterator, self.n_made = iterator, self.n_made + 1
        if self.n_made > self.n_pieces:
            self.snapshot, self.n_pieces = snapshot, self.n_made

    def park(self) -> Iterator[S] | None:
        """Give up its memory; return its generator, to be closed."""
        iterator, self.iterator, self.has_begun = self.iterator, None, False
        self.n_made, self.n_to_repeat = 0, self.n_pieces
        return iterator

    def n_watchers(self, now: float, limits: ServiceLimits) -> int:
        """Return how many tickets were looked at lately."""
        return sum(now - t.looked_at <= limits.idle_seconds for t in self.tickets.values())

    def owners(self, now: float, limits: ServiceLimits) -> set[Hashable]:
        """Return who looks at it and wants it to go on."""
        if self.ending is not None:
            return set()
        return {
            ticket.owner
            for ticket in self.tickets.values()
            if ticket.wants_more and now - ticket.looked_at <= limits.idle_seconds
        }

    def is_wanted(self, now: float, limits: ServiceLimits) -> bool:
        """Return whether somebody looks at it and wants it to go on."""
        return bool(self.owners(now, limits))


def next_piece(
    iterator: Iterator | None, work: Work | None
) -> tuple[Iterator | None, Any, Literal["finished", "failed"] | None, str]:
    """Return the generator, its next snapshot, and how it ended, if it did, with a message."""
    try:
        iterator = iter(work()) if iterator is None else iterator
        return iterator, next(iterator), None, ""
    except StopIteration:
        return iterator, None, "finished", ""
    except BaseException as error:  # even SystemExit: no job may end the others' trainer
        logger.error("a training job failed\n%s", trace_of(error))
        return iterator, None, "failed", message_of(error)


def close_work(iterator: Iterator | None) -> None:
    """Let a generator put away what it holds; what goes wrong in it is only logged."""
    try:
        if hasattr(iterator, "close"):
            iterator.close()
    except BaseException as error:
        logger.error("a training job could not be closed\n%s", trace_of(error))


def trace_of(error: BaseException) -> str:
    """Return for the log where an error arose, and out of which others, without their messages.

    A message may quote what a learner typed, and no log keeps that.

    >>> trace_of(KeyError("a learner's word"))
    'KeyError'
    """
    lines = [*traceback.format_tb(error.__traceback__), type(error).__name__]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        lines.insert(0, f"{trace_of(cause)}\n  and then\n")
    return "".join(lines)


def message_of(error: BaseException) -> str:
    """Return what a learner may read of an error.

    The project's errors are written for readers: every ValueError, and types of RuntimeError
    of our own. Python's and torch's RuntimeErrors, and all else, are for the log.

    >>> message_of(ValueError("peak_learning_rate is 0: take a number above 0"))
    'peak_learning_rate is 0: take a number above 0'
    >>> message_of(KeyError("secret"))
    'stopped by an unexpected error'
    """
    home = type(error).__module__.partition(".")[0]
    is_our_runtime_error = isinstance(error, RuntimeError) and home not in ("builtins", "torch")
    is_for_readers = isinstance(error, ValueError) or is_our_runtime_error
    return str(error) if is_for_readers and str(error) else UNEXPECTED
