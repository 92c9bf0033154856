"""Training jobs, the learners' tickets for them, and the view of a ticket.

    work     a function that returns a generator; each next() does one small piece of work (a
             training step) and yields a snapshot, which nothing changes afterwards
    job      one such generator, and the tickets for it
    ticket   the secret token with which one learner controls one job
    link     the secret token of a job itself: with it anybody gets a new ticket for the job
    owner    the holder of tickets, such as a visit; any hashable value
    view     the state of a job and its latest snapshot, as one ticket sees it

A learner who asks for a job that exists gets a ticket for the same job. Each ticket has its own
wish (run on, pause, do n more pieces): a job runs while a learner who looks at it wants it to. A
ticket that is not looked at expires, so closing a tab needs no message.

A job whose memory others need is parked: its generator is closed, its snapshot stays. Later
`work` returns a new generator, which repeats the pieces done so far. So work must give the same
pieces each time; a training run does, since all its random numbers come from its seed.

Who opens a link pauses and leaves with their own ticket: the sender keeps the job.

Nothing here knows of models, threads or pages; time is an argument.

Source: the "capability URLs" of the W3C TAG (2014), for tickets that can't be guessed.

Read before this: mlm_core/training/loop.py.
"""

import errno
import logging
import math
import os
import re
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, Literal, TypeVar

from mlm_core.ranges import host_number

logger = logging.getLogger("mlm_app")

S = TypeVar("S")
Work = Callable[[], Iterator[S]]
Status = Literal["queued", "running", "paused", "finished", "failed"]
UNEXPECTED = "stopped by an unexpected error"
NO_DISK = (
    "the disk of this server is full or can't be written: tell the person who runs it, then try"
    " again"
)
# torch's, and its oneDNN's; what oneDNN says of an operation that it lacks goes on "descriptor".
OF_MEMORY = re.compile("can't allocate memory|could not create a primitive(?! descriptor)")
NO_MEMORY = "the memory of this server is full: choose something smaller, or try again in a moment"


class UnknownTicketError(ValueError):
    """The ticket is unknown or has expired; the message says what to do."""


class NoRoomError(ValueError):
    """The service is full; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class ServiceLimits:
    """How much one server trains at once, and when tickets and jobs make room."""

    slice_seconds: float = 0.15  # of work on one job before the next has its turn
    rest_seconds: float = 0.05  # after each slice, so that pages stay quick
    busy_rest_seconds: float = 0.15  # after a slice that had to give way
    give_way_seconds: float = 0.5  # that a slice waits in all while pages have precedence
    idle_seconds: float = 10.0  # without a look until a job pauses
    spare_seconds: float = 30.0  # without a look until a ticket makes room for a new one
    drop_seconds: float = 180.0  # without a look until a ticket is forgotten
    keep_seconds: float = 1800.0  # the same for the ticket of a finished job
    stuck_seconds: float = 30.0  # of the processor for one piece, after which its job has failed
    silent_seconds: float = 600.0  # by the clock, for a piece that waits for something for ever
    place_seconds: float = 30.0  # with a slot or memory until a job makes room for another
    most_running: int = 20  # jobs that take turns
    most_running_of_owner: int = 2
    most_finished: int = 40  # jobs kept after their end, those looked at last
    most_kept_bytes: int = 100_000_000  # of their snapshots and parked jobs' together
    most_bytes: int = 300_000_000  # of all jobs that have begun and not ended
    most_tickets: int = 400
    most_tickets_of_owner: int = 16

    def turn_seconds(self, n_jobs: int) -> float:
        """Return the seconds of a slice and its rest, with `n_jobs` in turn."""
        return self.slice_seconds + (self.busy_rest_seconds if n_jobs > 1 else self.rest_seconds)

    def __post_init__(self) -> None:
        """Refuse limits under which nothing could run."""
        for one in fields(self):
            value = getattr(self, one.name)
            if not (value > 0 or (value == 0 and one.name == "rest_seconds")):
                raise ValueError(f"{one.name} is {value}: take a number above 0")


def limits_of_host(environment: Mapping[str, str] = os.environ) -> ServiceLimits:
    """Return the limits that the app's host set: memory, runs at once, runs of one visitor.

    Raises ValueError if a variable is no number in its range.

    >>> limits_of_host({"MLM_TRAINER_MB": "600"}).most_bytes
    600000000
    """
    usual = ServiceLimits()
    megabytes = usual.most_bytes // 1_000_000
    return replace(
        usual,
        most_bytes=host_number("MLM_TRAINER_MB", megabytes, 50, 100_000, environment) * 1_000_000,
        most_running=host_number("MLM_TRAINER_RUNS", usual.most_running, 1, 200, environment),
        most_running_of_owner=host_number(
            "MLM_TRAINER_RUNS_OF_ONE", usual.most_running_of_owner, 1, 50, environment
        ),
        stuck_seconds=host_number(
            "MLM_TRAINER_STEP_SECONDS", round(usual.stuck_seconds), 5, 3600, environment
        ),
    )


@dataclass(frozen=True, kw_only=True)
class View(Generic[S]):
    """The state of a job, as one ticket sees it."""

    status: Status
    key: Hashable  # of the job, such as its settings
    link: str  # the job's token, to pass on
    # In the line, 1 is next. 0: not in line, or passed over while its owner has two running.
    place: int
    snapshot: S | None  # None before the first piece is done
    n_pieces: int  # done so far
    message: str  # why it failed, else ""
    n_watchers: int  # tickets looked at in the last `idle_seconds`, this one included
    wants_pause: bool  # this ticket wants a pause; others may keep the job running
    n_running: int  # jobs that take turns now
    is_repeating: bool = False  # pieces that it had done before it was parked


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The state of the whole service in numbers, for the server's operator."""

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

    @property
    def wants_more(self) -> bool:
        """Return whether this ticket wants another piece."""
        return self.job.n_pieces < self.runs_until


@dataclass(eq=False, kw_only=True)
class Job(Generic[S]):
    """One generator and the tickets for it."""

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
    is_at_work: bool = False  # its generator is running now
    memory_since: float = 0.0
    running_since: float = 0.0

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
        """Return how many tickets were looked at in the last `idle_seconds`."""
        return sum(now - t.looked_at <= limits.idle_seconds for t in self.tickets.values())

    def owners(self, now: float, limits: ServiceLimits) -> set[Hashable]:
        """Return the owners who look at it and want it to run."""
        if self.ending is not None:
            return set()
        return {
            ticket.owner
            for ticket in self.tickets.values()
            if ticket.wants_more and now - ticket.looked_at <= limits.idle_seconds
        }

    def is_wanted(self, now: float, limits: ServiceLimits) -> bool:
        """Return whether an owner looks at it and wants it to run."""
        return bool(self.owners(now, limits))


def next_piece(
    iterator: Iterator | None, work: Work | None
) -> tuple[Iterator | None, Any, Literal["finished", "failed"] | None, str]:
    """Return the generator, its next snapshot, and its ending with a message."""
    try:
        if iterator is None:
            assert work is not None  # a job keeps its work until it has an iterator
            iterator = iter(work())
        return iterator, next(iterator), None, ""
    except StopIteration:
        return iterator, None, "finished", ""
    except BaseException as error:  # even SystemExit: no job may end the others' trainer
        logger.error("a training job failed\n%s", trace_of(error))
        return iterator, None, "failed", message_of(error)


def close_work(iterator: Iterator | None) -> None:
    """Close a generator; an error in it is only logged."""
    try:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()
    except BaseException as error:
        logger.error("a training job could not be closed\n%s", trace_of(error))


def trace_of(error: BaseException) -> str:
    """Return the traceback of an error and its causes for the log, without messages.

    A message may quote a learner's text, which no log keeps; the system's on a disk doesn't.

    >>> trace_of(KeyError("a learner's word"))
    'KeyError'
    >>> trace_of(OSError(errno.ENOSPC, "No space left on device"))
    'OSError: No space left on device'
    """
    name = type(error).__name__
    if isinstance(error, OSError) and is_of_disk(error):
        name = f"{name}: {error.strerror}"
    lines = [*traceback.format_tb(error.__traceback__), name]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        lines.insert(0, f"{trace_of(cause)}\n  and then\n")
    return "".join(lines)


def is_of_disk(error: BaseException) -> bool:
    """Return whether an error came because nothing can be written on the disk."""
    if not isinstance(error, OSError):
        return False
    # tempfile tries a few folders, and says so when none of them can be written.
    is_without_folder = str(error.strerror).startswith("No usable temporary directory")
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS) or is_without_folder


def fault_of_host(error: BaseException) -> str:
    """Return what a reader is told of an error that a full disk or memory caused, else "".

    >>> fault_of_host(RuntimeError("could not create a primitive")) == NO_MEMORY
    True
    >>> fault_of_host(RuntimeError("could not create a primitive descriptor for a convolution"))
    ''
    """
    if is_of_disk(error):
        return NO_DISK
    is_torchs = isinstance(error, RuntimeError) and OF_MEMORY.search(str(error))
    return NO_MEMORY if is_torchs or isinstance(error, MemoryError) else ""


def message_of(error: BaseException) -> str:
    """Return the message that a learner may read.

    Only ValueErrors and the project's own RuntimeErrors have messages for readers, and a disk or a
    memory that is full.

    >>> message_of(ValueError("peak_learning_rate is 0: take a number above 0"))
    'peak_learning_rate is 0: take a number above 0'
    >>> message_of(KeyError("secret"))
    'stopped by an unexpected error'
    """
    if fault := fault_of_host(error):
        return fault
    home = type(error).__module__.partition(".")[0]
    is_our_runtime_error = isinstance(error, RuntimeError) and home not in ("builtins", "torch")
    is_for_readers = isinstance(error, ValueError) or is_our_runtime_error
    return str(error) if is_for_readers and str(error) else UNEXPECTED
