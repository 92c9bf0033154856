"""How a run of one's own stands: progress, time left, what it has reached, and its buttons."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.train_an_encoder import runs
from pages.parts.train_an_encoder.runs import Run
from pages.shared import cache_training, inputs
from pages.shared.frame import Page
from pages.shared.words import as_text

if TYPE_CHECKING:
    from mlm_core.pretraining.small_run_snapshot import Snapshot
    from mlm_core.training.jobs import View

SLUG = "train_an_encoder"
SHOWN = f"{SLUG}_shown"  # link: which run the opening shows
CHANGED = f"{SLUG}_changed"  # session state: a run came or went, so the whole page must follow
STORED = "stored"
# A run that rests moves nothing, but a ticket nobody looks at is forgotten after minutes.
# At work it moves once in the trainer's round through all runs; more looks would show nothing
# new. A few steps only, because each change of step draws the whole page anew.
AT_WORK, AT_REST = (1.0, 2.0, 4.0, 6.0), 20.0  # seconds between two looks


def seconds_between_looks(mine: Iterable[Run], arriving: "View | None") -> float | None:
    """Return how often the page must look at the learner's runs; None if all have ended."""
    views = [view for run in mine if (view := runs.look(run))] + [arriving] * bool(arriving)
    states = {view.status for view in views}
    if states & {"queued", "running"}:
        limits = cache_training.training_service().limits
        share = max(view.share for view in views)
        a_round = share * (limits.slice_seconds + limits.rest(share))
        return next((seconds for seconds in AT_WORK if seconds >= a_round), AT_WORK[-1])
    return AT_REST if "paused" in states else None


def say_what_came_of_the_link(page: Page) -> None:
    """Tell whoever opened a link with a run in it what became of that run."""
    view = runs.arriving()
    if view is not None:
        st.info(page.words.section("run.arriving", place=view.place), icon=":material/groups:")
    if st.session_state.pop(runs.LINK_FAILED, False):
        st.toast(page.words.section("run_gone"), icon=":material/history:")


def choose_run(page: Page, own: Mapping[str, Run]) -> Run | None:
    """Let the learner choose which of their runs is shown; None for the stored one alone."""
    if not own:
        return None
    titles = {name: runs.title_of(page, own[name]) for name in reversed(own)}
    titles[STORED] = runs.stored_title(page, "default")
    return own.get(inputs.choice(page.words.label("shown"), titles, key=SHOWN))


def status(page: Page, run: Run, view: "View | None") -> None:
    """Say how a run stands, with its buttons and what it has reached."""
    words = page.words
    if view is None:
        st.info(words.section("run_gone"), icon=":material/history:")
        _buttons(page, run, None)
        return
    snapshot = view.snapshot
    if view.status == "failed":
        st.error(as_text(view.message), icon=":material/error:")
        st.markdown(words.section("run.failed"))
    else:
        step = snapshot.step if snapshot else 0
        share = step / run.settings.n_steps
        st.progress(share, text=_progress(page, run, view))
    _buttons(page, run, view)
    for name, values in _notes(run, view):
        st.caption(words.section(f"run.{name}", **values))
    if snapshot is not None and snapshot.held_out:
        st.markdown(_reached(page, snapshot))


def _progress(page: Page, run: Run, view: "View") -> str:
    """Return the line over the bar."""
    words, snapshot = page.words, view.snapshot
    if view.status == "queued":
        return words.label("status_queued", place=view.place)
    if snapshot is None or snapshot.phase == "preparing":
        return words.label("status_preparing")
    values = {"step": f"{snapshot.step:,}", "n": f"{snapshot.n_steps:,}"}
    if view.status == "finished":
        return words.label("status_finished", **values, seconds=f"{snapshot.seconds:.0f}")
    if view.status == "paused":
        return words.label("status_paused", **values)
    if snapshot.seconds_left is None:
        return words.label("status_begun", **values)
    return words.label("status_training", **values, left=_duration(_wait(view, snapshot)))


def _wait(view: "View", snapshot: "Snapshot") -> float:
    """Return the seconds left on the clock: the others' turns and the trainer's rests count."""
    limits = cache_training.training_service().limits
    round_seconds = limits.slice_seconds + limits.rest(view.share)
    return snapshot.seconds_left * max(1, view.share) * round_seconds / limits.slice_seconds


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _notes(run: Run, view: "View") -> "Iterable[tuple[str, dict]]":
    """Yield what is worth saying about how the run is shared, waits and was cut short."""
    snapshot, is_over = view.snapshot, view.status in ("finished", "failed")
    if run.has_joined:
        yield "joined", {}
    if view.asked_pause and view.status in ("running", "queued"):
        yield "others_go_on", {"n": view.n_watchers - 1}
    if view.status in ("running", "queued") and view.share > 1:
        yield "shared", {"n": view.share - (view.status == "running")}
    if run.has_rested and not is_over:
        yield "rested", {}
    if snapshot is None or snapshot.facts is None:
        return
    facts = snapshot.facts
    if facts.vocabulary_got < facts.vocabulary_asked:
        asked, got = f"{facts.vocabulary_asked:,}", f"{facts.vocabulary_got:,}"
        yield "vocabulary", {"asked": asked, "got": got}
    if facts.documents_were_cut:
        yield "cut", {"n": facts.n_train_documents}
    if facts.unknown_share > 0:
        yield "unknown", {"share": f"{100 * facts.unknown_share:.2g}"}


def _reached(page: Page, snapshot: "Snapshot") -> str:
    """Return what the run has reached at its last test, on one line."""
    point = snapshot.held_out[-1]
    pairs = point.next_sentence_accuracy
    values = {
        "held_out": f"{point.loss:.3f}",
        "perplexity": f"{point.perplexity:,.1f}",
        "accuracy": f"{100 * point.accuracy:.1f} %",
        "pairs": None if pairs is None else f"{100 * pairs:.1f} %",
        "speed": f"{snapshot.tokens_a_second:,.0f}" if snapshot.step else None,
    }
    return " · ".join(
        page.words.label(f"reached_{name}", value=value)
        for name, value in values.items()
        if value is not None
    )


def _buttons(page: Page, run: Run, view: "View | None") -> None:
    """Show what can be done with the run as it stands."""
    is_open = view is not None and view.status in ("queued", "running", "paused")
    rests = is_open and view.asked_pause
    with st.container(horizontal=True):
        if is_open and not rests:
            _button(page, run, "pause", ":material/pause:", _pause)
        if rests:
            _button(page, run, "resume", ":material/play_arrow:", _resume)
        if is_open:
            _button(page, run, "step", ":material/skip_next:", runs.step_once, disabled=not rests)
        _button(page, run, "reset", ":material/delete:", _reset)


def _button(page: Page, run: Run, name: str, icon: str, act, *, disabled: bool = False) -> None:
    st.button(
        page.words.label(f"button_{name}"),
        key=f"{SLUG}_{name}",
        on_click=_safely,
        args=(act, run),
        icon=icon,
        disabled=disabled,
        help=page.words.label(f"help_{name}"),
    )


def _safely(act, run: Run) -> None:
    """Act on a run that the server may have forgotten meanwhile; the next look says so."""
    from mlm_core.training.jobs import UnknownTicketError

    try:
        act(run)
    except UnknownTicketError:
        run.is_gone = True


def _pause(run: Run) -> None:
    cache_training.training_service().pause(run.ticket)


def _resume(run: Run) -> None:
    cache_training.training_service().resume(run.ticket)


def _reset(run: Run) -> None:
    runs.remove(run)
    st.query_params.pop(SHOWN, None)
    st.session_state[CHANGED] = True
