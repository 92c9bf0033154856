"""A learner's runs: how they start, what state each is in, and how a reopened link finds its run.

A run belongs to the training service, which shares it among all who asked for the same. The
learner's ticket stays in the session. The page's link has the run's own secret word instead:
opened again, or by somebody else, it gives a new ticket for the same run, and what its reader
does takes nothing from the sender. What was seen of a run last stays in the session, without
the weights.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st  # runs of several lessons, in the session and the link: no part's

from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from pages.server.caches import cache_training
from pages.server.process import visits
from pages.server.trainer.jobs import NoRoomError, UnknownTicketError, View

MOST_RUNS = 6
STEP_SECONDS, MOST_PIECES = 1.5, 24  # that one step may take; a test between two has 9 pieces


@dataclass(kw_only=True)
class Run:
    """One run that this learner started."""

    number: int  # 1 for the first of this visit
    ticket: str
    link: str  # the word by which others, or a reloaded page, get a ticket of their own
    settings: Any
    seen: Any = None  # the snapshot as it was seen last, without the weights
    has_joined: bool = False  # others had started the same before
    has_rested: bool = False  # for a while nobody looked at it, so it paused
    looked_at: float | None = None  # seconds of the process's clock

    @property
    def name(self) -> str:
        """Return the name that links use within this visit."""
        return f"run-{self.number}"


@dataclass(frozen=True, kw_only=True)
class RunList:
    """This learner's runs of one sort. It holds nothing itself: they stand in the session."""

    prefix: str  # of all names in the session and the link
    begin: Callable[[Any], str]  # takes settings, starts their run, returns a ticket
    settings_type: type  # tickets of all sorts come from one service
    without_weights: Mapping[str, object]  # what takes a snapshot's weights out of it
    buttons: str = ""  # what their names begin with, where a page shows two sorts of runs

    @property
    def kept(self) -> str:
        """Return where the session has them: a list of Run, the oldest first."""
        return f"{self.prefix}_runs"

    @property
    def link(self) -> str:
        """Return the link's parameter with the word of the newest run."""
        return f"{self.prefix}_run"

    @property
    def link_failed(self) -> str:
        """Return where the session notes why the link's run can't be had; "" if it is gone."""
        return f"{self.prefix}_link_failed"

    def all(self) -> list[Run]:
        """Return the runs, the oldest first; one that is in the link is among them."""
        runs = st.session_state.setdefault(self.kept, [])
        link = st.query_params.get(self.link)
        if link and all(run.link != link for run in runs):
            self._adopt(link, runs)
            runs = st.session_state[self.kept]
        if runs and self.link not in st.query_params:
            # Going to another page drops the link's parameters.
            st.query_params[self.link] = runs[-1].link
        return runs

    def newest(self) -> Run | None:
        """Return the run that was started last."""
        runs = self.all()
        return runs[-1] if runs else None

    def start(self, settings: Any) -> Run:
        """Start a run, or join the one that others have going with the same settings.

        Raises ValueError (NoRoomError) if the server takes no more.
        """
        ticket = self.begin(settings)
        view = cache_training.training_service().look(ticket)
        run = self._add(ticket, view.link, settings, self.all())
        run.has_joined = view.n_pieces > 0 or view.n_watchers > 1
        return run

    def find_or_start(self, settings: Any) -> Run:
        """Return the run that this learner has of the same settings, or start one.

        One that failed is started again: the server may have what it lacked.
        Raises ValueError (NoRoomError) if the server takes no more.
        """
        mine = [run for run in self.all() if run.settings == settings]
        views = [(run, self.look(run)) for run in reversed(mine)]
        usable = (run for run, view in views if view is not None and view.status != "failed")
        return next(usable, None) or self.start(settings)

    def put_last(self, run: Run) -> None:
        """Make a run the newest, which its link then names."""
        runs = self.all()
        runs.remove(run)
        runs.append(run)
        st.query_params[self.link] = run.link

    def look(self, run: Run) -> View | None:
        """Return the state of a run, and keep what is seen; None if the server has forgotten it.

        Looking is what keeps a run going.
        """
        try:
            view = cache_training.training_service().look(run.ticket)
        except UnknownTicketError:
            return None
        now, limit = time.monotonic(), cache_training.training_service().limits.idle_seconds
        if run.looked_at is not None and now - run.looked_at > limit and view.status == "running":
            run.has_rested = True
        run.looked_at = now
        if view.snapshot is not None:
            run.seen = replace(view.snapshot, **self.without_weights)
        return view

    def remove(self, run: Run) -> None:
        """Take a run off the learner's list; others who share it keep it."""
        try:
            cache_training.training_service().leave(run.ticket)
        except UnknownTicketError:
            pass  # gone already
        kept = [other for other in self.all() if other is not run]
        st.session_state[self.kept] = kept
        if st.query_params.get(self.link) == run.link:
            del st.query_params[self.link]
            if kept:
                st.query_params[self.link] = kept[-1].link

    def _add(self, ticket: str, link: str, settings: Any, runs: list[Run]) -> Run:
        number = max((run.number for run in runs), default=0) + 1
        run = Run(number=number, ticket=ticket, link=link, settings=settings)
        runs.append(run)
        st.query_params[self.link] = link
        for oldest in runs[:-MOST_RUNS]:
            self.remove(oldest)
        return run

    def _adopt(self, link: str, runs: list[Run]) -> None:
        """Take up the run of a reopened link, with a ticket of one's own."""
        service = cache_training.training_service()
        try:
            ticket = service.join(link, visits.session_id())
        except UnknownTicketError:
            self._refuse_link()
            return
        except NoRoomError as error:
            self._refuse_link(str(error))
            return
        settings = service.look(ticket).key
        if isinstance(settings, self.settings_type):
            self._add(ticket, link, settings, runs)
        else:
            service.leave(ticket)
            self._refuse_link()

    def _refuse_link(self, reason: str = "") -> None:
        del st.query_params[self.link]
        st.session_state[self.link_failed] = reason


def begin(
    settings: Any,
    work: Callable[[], Iterator[Any]],
    *,
    held_bytes: int,
    kept_bytes: int,
    extra_bytes: int,
) -> str:
    """Start this visit's run, or join the one with equal settings; return a ticket.

    `work` yields a snapshot after each piece. The run holds `held_bytes` to its end, a piece takes
    `extra_bytes` more, and its snapshots hold `kept_bytes`. Raises NoRoomError.
    """
    return cache_training.training_service().start(
        settings, work, held_bytes, kept_bytes, extra=extra_bytes, owner=visits.session_id()
    )


def begin_small_run(settings: SmallRunSettings, text: Callable[[], PreparedText | None]) -> str:
    """Start a pre-training, or join the one with equal settings; return a ticket.

    `text` gives what the run reads once it has its turn; None if it prepares its own text.
    Raises NoRoomError.
    """
    return begin(
        settings,
        lambda: SmallRun(settings, text=text()).go_on(),
        held_bytes=settings.held_bytes,
        kept_bytes=settings.kept_bytes,
        extra_bytes=settings.extra_bytes,
    )


def step_once(run: Run) -> None:
    """Let a run that rests do one training step.

    Preparing the text and testing are pieces of work too: a few are asked for, until the step
    has moved on or a moment has passed.
    """
    service = cache_training.training_service()
    view = service.look(run.ticket)
    # While a run is prepared it has no snapshot, then some of step 0.
    before = 0 if view.snapshot is None else view.snapshot.step
    until = time.monotonic() + STEP_SECONDS
    for _ in range(MOST_PIECES):
        n_pieces = view.n_pieces
        service.step(run.ticket)
        while view.n_pieces == n_pieces and time.monotonic() < until:
            time.sleep(0.01)
            view = service.look(run.ticket)
        moved_on = view.snapshot is not None and view.snapshot.step != before
        if moved_on or view.message or time.monotonic() >= until:
            return
