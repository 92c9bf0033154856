"""The state of a learner's own run: progress, time left, its last test, and its buttons.

What is polled is one fragment and the settings are another, side by side. Neither is inside of the
other: each rerun of an outer fragment would start one more timer for an inner one.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Any

import streamlit as st  # a message that stays, and is of several lessons: no part has this

from mlm_core.number_format import formatted
from pages.kit.part import Part, as_text
from pages.kit.training.runs import Run, RunList, step_once
from pages.server.caches import cache_training
from pages.server.trainer.jobs import UnknownTicketError, View

REFUSED = "refused"  # state: why the last run could not be started
ESTIMATED_FROM = 0.05  # of a run; estimates of its first steps were three times too long
# A run that rests moves nothing, but a ticket nobody looks at is forgotten after minutes.
# At work it moves once in the trainer's round through all runs; more looks would show nothing
# new. A few steps only, because each change of step draws the whole page again.
AT_WORK, AT_REST = (1.0, 2.0, 4.0, 6.0), 20.0  # seconds between two looks


def offer_start(
    p: Part,
    mine: RunList,
    settings: Any,
    show: Callable[[Run], object],
    *,
    label: str = "button_start",
) -> None:
    """Show the button that starts a run, and why the last one could not be started.

    It leads to the run that this learner has of the same settings; `show` makes it the one shown.
    While the settings are None no run can be started.
    """
    p.with_words("runs").button(
        f"{mine.buttons}start",
        _start,
        p,
        mine,
        settings,
        show,
        icon="play_arrow",
        label=label,
        type="primary",
        disabled=settings is None,
        width="stretch",
    )
    if (refused := f"{mine.buttons}{REFUSED}") in p.state:
        p.refused(p.state[refused])


def _start(p: Part, mine: RunList, settings: Any, show: Callable[[Run], object]) -> None:
    p.state.pop(f"{mine.buttons}{REFUSED}", None)
    try:
        run = mine.find_or_start(settings)
    except ValueError as error:
        p.state[f"{mine.buttons}{REFUSED}"] = str(error)
        return
    show(run)
    p.draw_whole_page()  # the run is shown outside of its settings


def seconds_between_looks(views: Iterable[View | None]) -> float | None:
    """Return how often the page must look at the learner's runs; None if all have ended."""
    views = [view for view in views if view is not None]
    states = {view.status for view in views}
    if states & {"queued", "running"}:
        limits = cache_training.training_service().limits
        share = max(view.n_running for view in views)
        a_round = share * limits.turn_seconds(share)
        return next((seconds for seconds in AT_WORK if seconds >= a_round), AT_WORK[-1])
    return AT_REST if "paused" in states else None


def watch(mine: RunList, draw: Callable[[Part], None], p: Part) -> None:
    """Call `draw` now, and again as often as the learner's runs move."""

    def seconds() -> float | None:
        return seconds_between_looks([mine.look(run) for run in mine.all()])

    def look(p: Part) -> None:
        with p.safely():
            draw(p)
        if seconds() != now:  # the timer is another one
            p.draw_page_now()

    now = seconds()
    p.polled(look, seconds=now)


def say_what_came_of_the_link(p: Part, mine: RunList) -> None:
    """Say what became of the run in the link that was opened, if it can't be shown."""
    reason = st.session_state.pop(mine.link_failed, None)
    if reason is not None:
        text = as_text(p.translated(reason)) if reason else p.with_words("runs").section("gone")
        # Until it is closed: what is lost must not be missed by who looks away.
        st.toast(text, icon=":material/history:", duration="infinite")


def choose_shown(p: Part, own: Mapping[str, str], stored: Mapping[str, str]) -> str | None:
    """Let the learner choose among titles of their runs, the newest first, and stored ones."""
    titles = {name: own[name] for name in reversed([*own])} | dict(stored)
    newest = next(iter(titles), None)
    if len(titles) < 2:
        return newest
    with p.with_words("runs").popover("shown", "visibility"):
        return p.choice("shown", titles, start=newest)


def place_of_list(p: Part, name: str, *, folded: bool) -> AbstractContextManager[Any]:
    """Return where a list of runs goes: into a small window that a button opens if `folded`."""
    is_open = not folded or p.is_hidden(name)
    return nullcontext() if is_open else p.with_words("runs").popover("which", "tune")


def say_no_model(p: Part, view: View | None) -> None:
    """Say why a run has no model: the server has forgotten it, or nothing is trained yet."""
    p = p.with_words("runs")
    if view is None:
        p.note("gone", icon="history")
    else:
        p.note("not_ready", icon="hourglass_top")


def status(
    p: Part,
    mine: RunList,
    run: Run,
    view: View | None,
    *,
    preparing: Callable[[Part, Any], str | None],
    say: Callable[[Part, Any], None],
) -> None:
    """Show the state of a run, with its buttons.

    `preparing` gives the line while nothing is trained yet, also for a snapshot that is None;
    `say` shows what a snapshot has reached, and what was cut short.
    """
    runs = p.with_words("runs")
    if view is None:
        say_no_model(p, view)
        _buttons(runs, mine, run, None)
        return
    snapshot = view.snapshot
    if view.status == "failed":
        p.refused(view.message)
        runs.say("failed")
    else:
        share = snapshot.step / max(1, snapshot.n_steps) if snapshot else 0.0
        p.bar(share, _progress(runs, view, preparing(p, snapshot)))
    _buttons(runs, mine, run, view)
    _say_how_it_is_shared(runs, run, view)
    if snapshot is not None:
        say(p, snapshot)


def _progress(p: Part, view: View, preparing: str | None) -> str:
    """Return the line over the bar."""
    snapshot, rests = view.snapshot, view.status == "paused"
    if view.status == "queued":
        if not view.place:
            return p.label("status_queued_own")
        return p.label("status_queued", place=view.place)
    if preparing:
        return f"{p.label('status_rests')} {preparing}" if rests else preparing
    assert snapshot is not None  # a run without one is being prepared
    values = {"step": snapshot.step, "n": snapshot.n_steps}
    if view.is_repeating:
        return p.label("status_repeating", **values)
    if view.status == "finished":
        return p.label("status_finished", **values, seconds=snapshot.seconds)
    if rests:
        return p.label("status_paused", **values)
    if snapshot.seconds_left is None:
        return p.label("status_begun", **values)
    if snapshot.step < ESTIMATED_FROM * snapshot.n_steps:
        return p.label("status_early", **values)
    return p.label("status_training", **values, left=_duration(_wait(view)))


def _wait(view: View) -> float:
    """Return the seconds left on the clock: the others' turns and the trainer's rests count."""
    limits = cache_training.training_service().limits
    a_round = max(1, view.n_running) * limits.turn_seconds(view.n_running)
    assert view.snapshot is not None
    return view.snapshot.seconds_left * a_round / limits.slice_seconds


def _duration(seconds: float) -> str:
    return (
        f"{max(1, round(seconds))} s" if seconds < 90 else f"{formatted(seconds / 60, '.0f')} min"
    )


def _say_how_it_is_shared(p: Part, run: Run, view: View) -> None:
    """Say what is worth saying about how the run is shared and waits."""
    if run.has_joined:
        p.caption("joined")
    if view.wants_pause and view.status in ("running", "queued"):
        p.caption("others_go_on", n=view.n_watchers - 1)
    if view.status in ("running", "queued") and view.n_running > 1:
        p.caption("shared", n=view.n_running - (view.status == "running"))
    if run.has_rested and view.status not in ("finished", "failed"):
        p.caption("rested")


def _buttons(p: Part, mine: RunList, run: Run, view: View | None) -> None:
    """Show what can be done with the run now."""
    service = cache_training.training_service()
    is_open = view is not None and view.status in ("queued", "running", "paused")
    rests = is_open and view.wants_pause
    button = partial(_button, p, mine)
    with p.row("top"):
        if is_open and not rests:
            button("pause", "pause", partial(service.pause, run.ticket))
        if rests:
            button("resume", "play_arrow", partial(service.resume, run.ticket))
        if is_open:
            button("step", "skip_next", partial(step_once, run), disabled=not rests)
        button("reset", "delete", partial(_reset, p, mine, run))


def _button(
    p: Part,
    mine: RunList,
    name: str,
    icon: str,
    act: Callable[[], None],
    *,
    disabled: bool = False,
) -> None:
    key, label, about = f"{mine.buttons}{name}", f"button_{name}", p.label(f"help_{name}")
    p.button(key, _safely, act, icon=icon, label=label, disabled=disabled, help=about)


def _safely(act: Callable[[], None]) -> None:
    """Act on a run that the server may have forgotten meanwhile; the next look says so."""
    with suppress(UnknownTicketError):
        act()


def _reset(p: Part, mine: RunList, run: Run) -> None:
    mine.remove(run)
    if not p.is_fixed("shown"):
        p.reset("shown")
    p.draw_whole_page()
