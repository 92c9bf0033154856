"""Opening: a run's guesses and curves through its training, and a run of one's own beside it.

What is polled (status, blank, curves) is one fragment and the settings are another, side by
side. Neither stands in the other: each rerun of an outer fragment would start one more timer
for an inner one.
"""

import streamlit as st

from pages.parts.train_an_encoder import curves, live, run_blank, runs, settings
from pages.parts.train_an_encoder.curves import Shown
from pages.shared import cache_training
from pages.shared.frame import Page, safely

STORED = "default"  # the stored run that the lesson opens on


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    watched, own = st.columns([5, 3], gap="large")
    with watched:
        seconds = live.seconds_between_looks(runs.all_runs(), runs.arriving())
        st.fragment(_watch, run_every=seconds)(page, seconds)
    with own, st.container(border=True):
        settings.panel(page)


def _watch(page: Page, seconds: float | None) -> None:
    """Draw what moves while a run is trained; `seconds` is how often that happens."""
    with safely():
        _draw(page)
    # A run that came, went, or needs other looks than so far: the whole page and its timer follow.
    came_or_went = st.session_state.pop(live.CHANGED, False)
    if came_or_went or live.seconds_between_looks(runs.all_runs(), runs.arriving()) != seconds:
        st.rerun(scope="app")


def _draw(page: Page) -> None:
    live.say_what_came_of_the_link(page)
    # Looking is what keeps a run going, so each is looked at, shown or not.
    views = {run.name: runs.look(run) for run in runs.all_runs()}
    own = {run.name: run for run in runs.all_runs()}
    chosen = live.choose_run(page, own)
    if chosen is not None:
        live.status(page, chosen, views[chosen.name])
    shown = _shown(page, chosen, views)
    at = run_blank.show(page, shown[0])
    curves.show(page, shown[::-1], at=at, key="train_an_encoder_curves")


def _shown(page: Page, chosen: runs.Run | None, views: dict) -> list[Shown]:
    """Return what is drawn: the learner's run, if it has begun to learn, then the stored one."""
    stored = Shown(
        title=runs.stored_title(page, STORED),
        snapshot=cache_training.stored_run(STORED),
        pen=0,
    )
    if chosen is None:
        return [stored]
    view = views[chosen.name]
    snapshot = chosen.seen if view is None or view.snapshot is None else view.snapshot
    if snapshot is None or not snapshot.held_out:
        return [stored]
    own = Shown(title=runs.title_of(page, chosen), snapshot=snapshot, pen=1)
    return [own, stored]
