"""How a run of one's own stands: progress, time left, what it has reached, and its buttons.

What is polled is one fragment and the settings are another, side by side. Neither stands in the
other: each rerun of an outer fragment would start one more timer for an inner one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.number_format import formatted
from pages.kit.training.runs import Run, RunList, step_once
from pages.server.caches import cache_training
from pages.server.course.core_messages import translated
from pages.server.course.words import as_text, read_words
from pages.server.frame.page_frame import Page, safely
from pages.server.link import inputs, whole_page

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.server.trainer.jobs import View

# A run that rests moves nothing, but a ticket nobody looks at is forgotten after minutes.
# At work it moves once in the trainer's round through all runs; more looks would show nothing
# new. A few steps only, because each change of step draws the whole page anew.
AT_WORK, AT_REST = (1.0, 2.0, 4.0, 6.0), 20.0  # seconds between two looks


@dataclass(frozen=True, kw_only=True)
class Telling:
    """What a lesson says of a run's snapshot, beside what is true of every run."""

    preparing: Callable[[Any], str | None]  # the line while nothing is trained yet; may get None
    notes: Callable[[Any], Iterable[str]]  # what is worth saying about what was cut short
    reached: Callable[[Any], str]  # the last test on one line; "" before the first


def shown_key(slug: str) -> str:
    """Return the link's parameter that says which run a lesson shows."""
    return f"{slug}_shown"


def start_button(key: str, on_click: Callable[..., None], args: tuple, *, is_ready: bool) -> None:
    """Show the button that starts a run."""
    st.button(
        read_words("runs").label("button_start"),
        key=key,
        type="primary",
        icon=":material/play_arrow:",
        disabled=not is_ready,
        on_click=on_click,
        args=args,
        width="stretch",
    )


def seconds_between_looks(views: "Iterable[View | None]") -> float | None:
    """Return how often the page must look at the learner's runs; None if all have ended."""
    views = [view for view in views if view is not None]
    states = {view.status for view in views}
    if states & {"queued", "running"}:
        limits = cache_training.training_service().limits
        share = max(view.n_running for view in views)
        a_round = share * limits.turn_seconds(share)
        return next((seconds for seconds in AT_WORK if seconds >= a_round), AT_WORK[-1])
    return AT_REST if "paused" in states else None


def columns(widths: Sequence[float], name: str = "curve") -> "list[DeltaGenerator]":
    """Return two columns, which stand below each other where a curve would be too narrow.

    What is narrower than page_style.py says for their `name` goes below; the curve is the wider.
    """
    with st.container(key=f"training_{name}"):
        return st.columns(widths, gap="large")


def watch(mine: RunList, draw: Callable[[Page], None], page: Page) -> None:
    """Call `draw` now, and again as often as the learner's runs move."""

    def seconds() -> float | None:
        return seconds_between_looks([mine.look(run) for run in mine.all()])

    now = seconds()
    st.fragment(_watch, run_every=now)(draw, page, seconds, now)


def say_what_came_of_the_link(mine: RunList) -> None:
    """Tell whoever opened a link with a run in it what became of that run."""
    reason = st.session_state.pop(mine.link_failed, None)
    if reason is not None:
        text = as_text(translated(reason)) if reason else read_words("runs").section("gone")
        # Until it is closed: what is lost must not be missed by who looks away.
        st.toast(text, icon=":material/history:", duration="infinite")


def choose_shown(slug: str, own: Mapping[str, str], stored: Mapping[str, str]) -> str | None:
    """Let the learner choose among titles of their runs, the newest first, and stored ones."""
    titles = {name: own[name] for name in reversed([*own])} | dict(stored)
    if len(titles) < 2:
        return next(iter(titles), None)
    label = read_words("runs").label("shown")
    with st.popover(label, icon=":material/visibility:"):
        return inputs.choice(label, titles, key=shown_key(slug))


def place_of_list(*, folded: bool) -> AbstractContextManager[Any]:
    """Return where a list of runs goes: into a small window that a button opens if `folded`."""
    label = read_words("runs").label("which")
    return st.popover(label, icon=":material/tune:") if folded else nullcontext()


def say_no_model(view: "View | None") -> None:
    """Say why a run has no model: the server has forgotten it, or nothing is trained yet."""
    words = read_words("runs")
    if view is None:
        st.info(words.section("gone"), icon=":material/history:")
    else:
        st.info(words.section("not_ready"), icon=":material/hourglass_top:")


def status(slug: str, mine: RunList, run: Run, view: "View | None", telling: Telling) -> None:
    """Say how a run stands, with its buttons and what it has reached."""
    words = read_words("runs")
    if view is None:
        st.info(words.section("gone"), icon=":material/history:")
        _buttons(slug, mine, run, None)
        return
    snapshot = view.snapshot
    if view.status == "failed":
        st.error(as_text(translated(view.message)), icon=":material/error:")
        st.markdown(words.section("failed"))
    else:
        share = snapshot.step / max(1, snapshot.n_steps) if snapshot else 0.0
        st.progress(share, text=_progress(view, telling))
    _buttons(slug, mine, run, view)
    for name, values in _notes(run, view):
        st.caption(words.section(name, **values))
    if snapshot is not None:
        for note in telling.notes(snapshot):
            st.caption(note)
        if reached := telling.reached(snapshot):
            st.markdown(reached)


def _watch(
    draw: Callable[[Page], None],
    page: Page,
    seconds: Callable[[], float | None],
    before: float | None,
) -> None:
    """Draw what moves while a run is trained; `seconds` is how often that has to happen."""
    whole_page.draw_if_wanted()
    with safely():
        draw(page)
    # Other looks are needed than so far: the whole page and its timer follow.
    if seconds() != before:
        st.rerun()


def _progress(view: "View", telling: Telling) -> str:
    """Return the line over the bar."""
    words, snapshot, rests = read_words("runs"), view.snapshot, view.status == "paused"
    if view.status == "queued":
        if not view.place:
            return words.label("status_queued_own")
        return words.label("status_queued", place=view.place)
    if preparing := telling.preparing(snapshot):
        return f"{words.label('status_rests')} {preparing}" if rests else preparing
    assert snapshot is not None  # preparing() speaks of a run without one
    values = {"step": formatted(snapshot.step, ","), "n": formatted(snapshot.n_steps, ",")}
    if view.is_repeating:
        return words.label("status_repeating", **values)
    if view.status == "finished":
        return words.label("status_finished", **values, seconds=formatted(snapshot.seconds, ".0f"))
    if rests:
        return words.label("status_paused", **values)
    if snapshot.seconds_left is None:
        return words.label("status_begun", **values)
    return words.label("status_training", **values, left=_duration(_wait(view)))


def _wait(view: "View") -> float:
    """Return the seconds left on the clock: the others' turns and the trainer's rests count."""
    limits = cache_training.training_service().limits
    a_round = max(1, view.n_running) * limits.turn_seconds(view.n_running)
    assert view.snapshot is not None
    return view.snapshot.seconds_left * a_round / limits.slice_seconds


def _duration(seconds: float) -> str:
    return (
        f"{max(1, round(seconds))} s" if seconds < 90 else f"{formatted(seconds / 60, '.0f')} min"
    )


def _notes(run: Run, view: "View") -> "Iterable[tuple[str, dict]]":
    """Yield what is worth saying about how the run is shared and waits."""
    if run.has_joined:
        yield "joined", {}
    if view.wants_pause and view.status in ("running", "queued"):
        yield "others_go_on", {"n": view.n_watchers - 1}
    if view.status in ("running", "queued") and view.n_running > 1:
        yield "shared", {"n": view.n_running - (view.status == "running")}
    if run.has_rested and view.status not in ("finished", "failed"):
        yield "rested", {}


def _buttons(slug: str, mine: RunList, run: Run, view: "View | None") -> None:
    """Show what can be done with the run as it stands."""
    service = cache_training.training_service()
    is_open = view is not None and view.status in ("queued", "running", "paused")
    rests = is_open and view.wants_pause
    button = partial(_button, slug, run)
    with st.container(horizontal=True):
        if is_open and not rests:
            button("pause", ":material/pause:", partial(service.pause, run.ticket))
        if rests:
            button("resume", ":material/play_arrow:", partial(service.resume, run.ticket))
        if is_open:
            one_step = partial(step_once, run)
            button("step", ":material/skip_next:", one_step, disabled=not rests)
        button("reset", ":material/delete:", partial(_reset, slug, mine, run))


def _button(
    slug: str, run: Run, name: str, icon: str, act: Callable[[], None], *, disabled: bool = False
) -> None:
    words = read_words("runs")
    st.button(
        words.label(f"button_{name}"),
        key=f"{slug}_{name}",
        on_click=_safely,
        args=(act, run),
        icon=icon,
        disabled=disabled,
        help=words.label(f"help_{name}"),
    )


def _safely(act: Callable[[], None], run: Run) -> None:
    """Act on a run that the server may have forgotten meanwhile; the next look says so."""
    from pages.server.trainer.jobs import UnknownTicketError

    try:
        act()
    except UnknownTicketError:
        run.is_gone = True


def _reset(slug: str, mine: RunList, run: Run) -> None:
    mine.remove(run)
    st.query_params.pop(shown_key(slug), None)
    whole_page.want()
