"""The learner's runs: how they start, how each stands, and which one a part looks at.

A run belongs to the training service, which shares it among all who asked for the same. The
learner has a ticket, a secret word, which is in their link, so that a reopened page finds its
run again. What was seen of a run last stays in the session, without the weights.
"""

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import cache_training, inputs
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.pretraining.small_run_settings import SmallRunSettings
    from mlm_core.pretraining.small_run_snapshot import Snapshot
    from mlm_core.training.jobs import View

RUNS = "train_an_encoder_runs"  # session state: list of Run, oldest first
TICKET = "train_an_encoder_run"  # link: the ticket of the newest run
WHICH = "train_an_encoder_which"  # link: the run that the parts look at
STORED = ("default", "no_nsp", "mask_only", "next_word", "half_width")
LINK_FAILED = "train_an_encoder_link_failed"  # session state: the link's run was not there
MOST_RUNS = 6
SHARES = ("mask_rate", "random_rate", "keep_rate")
STEP_SECONDS, MOST_PIECES = 1.5, 24  # that one step may take; a test between two has 9 pieces


@dataclass(kw_only=True)
class Run:
    """One run that this learner started."""

    number: int  # 1 for the first of this visit
    ticket: str
    settings: "SmallRunSettings"
    seen: "Snapshot | None" = None  # as it was seen last, without the weights
    is_gone: bool = False  # the server has forgotten it
    has_joined: bool = False  # others had started the same before
    has_rested: bool = False  # for a while nobody looked at it, so it paused
    looked_at: float | None = None  # seconds of the process's clock

    @property
    def name(self) -> str:
        """Return the name that links use within this visit."""
        return f"run-{self.number}"


def all_runs() -> list[Run]:
    """Return this learner's runs, the oldest first; one that is in the link is among them."""
    runs = st.session_state.setdefault(RUNS, [])
    ticket = st.query_params.get(TICKET)
    if ticket and all(run.ticket != ticket for run in runs):
        _adopt(ticket, runs)
    return runs


def newest() -> Run | None:
    """Return the run that was started last."""
    runs = all_runs()
    return runs[-1] if runs else None


def start(settings: "SmallRunSettings") -> Run:
    """Start a run, or join the one that others have going with the same settings.

    Raises ValueError (NoRoomError) if the server takes no more.
    """
    ticket = cache_training.start_run(settings)
    view = cache_training.training_service().look(ticket)
    run = _add(ticket, settings, all_runs())
    run.has_joined = view.n_pieces > 0 or view.n_watchers > 1
    return run


def arriving() -> "View | None":
    """Return how the run of a reopened link stands while it has not begun; else None."""
    from mlm_core.training.jobs import UnknownTicketError

    ticket = st.query_params.get(TICKET)
    if not ticket or any(run.ticket == ticket for run in all_runs()):
        return None
    try:
        return cache_training.training_service().look(ticket)
    except UnknownTicketError:
        return None


def look(run: Run) -> "View | None":
    """Return how a run stands, and keep what is seen; None if the server has forgotten it.

    Looking is what keeps a run going.
    """
    from mlm_core.training.jobs import UnknownTicketError

    try:
        view = cache_training.training_service().look(run.ticket)
    except UnknownTicketError:
        run.is_gone = True
        return None
    now, limit = time.monotonic(), cache_training.training_service().limits.idle_seconds
    if run.looked_at is not None and now - run.looked_at > limit and view.status == "running":
        run.has_rested = True
    run.looked_at = now
    if view.snapshot is not None:
        run.seen = replace(view.snapshot, checkpoints=())
    return view


def remove(run: Run) -> None:
    """Take a run off the learner's list; others who share it keep it."""
    from mlm_core.training.jobs import UnknownTicketError

    try:
        cache_training.training_service().leave(run.ticket)
    except UnknownTicketError:
        pass  # gone already
    kept = [other for other in all_runs() if other is not run]
    st.session_state[RUNS] = kept
    if st.query_params.get(TICKET) == run.ticket:
        del st.query_params[TICKET]
        if kept:
            st.query_params[TICKET] = kept[-1].ticket


def step_once(run: Run) -> None:
    """Let a run that rests do one training step.

    Preparing the text and testing are pieces of work too: a few are asked for, until the step
    has moved on or a moment has passed.
    """
    service = cache_training.training_service()
    view = service.look(run.ticket)
    before, until = view.snapshot and view.snapshot.step, time.monotonic() + STEP_SECONDS
    for _ in range(MOST_PIECES):
        n_pieces = view.n_pieces
        service.step(run.ticket)
        while view.n_pieces == n_pieces and time.monotonic() < until:
            time.sleep(0.01)
            view = service.look(run.ticket)
        moved_on = view.snapshot is not None and view.snapshot.step != before
        if moved_on or view.message or time.monotonic() >= until:
            return


def choose_snapshot(page: Page) -> "tuple[str, Snapshot] | None":
    """Let the learner choose a run, their own or a stored one; return its title and all of it.

    Says why, and returns None, if that run has no model yet or no longer.
    """
    runs = {run.name: run for run in all_runs()}
    titles = {name: title_of(page, run) for name, run in reversed(runs.items())}
    titles |= {name: stored_title(page, name) for name in STORED}
    # The newest run of one's own, as soon as there is one.
    default = next(iter(titles))
    chosen = inputs.choice(page.words.label("which"), titles, key=WHICH, default=default)
    if chosen in STORED:
        return titles[chosen], cache_training.stored_run(chosen)
    view = look(runs[chosen])
    if view is None:
        st.info(page.words.section("run_gone"), icon=":material/history:")
        return None
    if view.snapshot is None or not view.snapshot.checkpoints:
        st.info(page.words.section("run_not_ready"), icon=":material/hourglass_top:")
        return None
    return titles[chosen], view.snapshot


def title_of(page: Page, run: Run) -> str:
    """Return a run's name for readers."""
    return page.words.plain("run_title", n=run.number, what=_what_differs(page, run.settings))


def stored_title(page: Page, name: str) -> str:
    """Return a stored run's name for readers; it says that it is stored."""
    return page.words.plain("stored_title", what=page.words.plain(f"stored_{name}"))


def _what_differs(page: Page, settings: "SmallRunSettings") -> str:
    """Say in a few words how settings differ from the start values."""
    from mlm_core.pretraining.small_run_settings import SmallRunSettings

    start = SmallRunSettings()
    differing = [
        page.words.plain(f"differs_{name}", value=_shown(page, settings, name))
        for name in vars(start)
        # The tests come at even distances over the run: not a choice of its own.
        if name != "evaluate_every" and getattr(settings, name) != getattr(start, name)
    ]
    return ", ".join(dict.fromkeys(differing)) or page.words.plain("differs_nothing")


def _shown(page: Page, settings: "SmallRunSettings", name: str) -> str:
    """Return a setting's value for readers; the three shares are one."""
    value = getattr(settings, name)
    if name in SHARES:
        return "/".join(f"{100 * getattr(settings, share):.0f}" for share in SHARES)
    if name == "objective":
        return page.words.plain(f"objective_{value}")
    if name == "own_text":
        return ""
    if name in ("choose_rate", "single_rate", "warm_up_share"):
        return f"{100 * value:.0f} %"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _add(ticket: str, settings: "SmallRunSettings", runs: list[Run]) -> Run:
    number = max((run.number for run in runs), default=0) + 1
    run = Run(number=number, ticket=ticket, settings=settings)
    runs.append(run)
    st.query_params[TICKET] = ticket
    for oldest in runs[:-MOST_RUNS]:
        remove(oldest)
    return run


def _adopt(ticket: str, runs: list[Run]) -> None:
    """Take up the run of a reopened link, if the server still has it and it has begun."""
    from mlm_core.training.jobs import UnknownTicketError

    try:
        view = cache_training.training_service().look(ticket)
    except UnknownTicketError:
        del st.query_params[TICKET]
        st.session_state[LINK_FAILED] = True
        return
    if view.snapshot is not None:
        _add(ticket, view.snapshot.settings, runs)
