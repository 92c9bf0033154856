"""Opening: a run's guesses and curves through its training, and a run of one's own beside it."""

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import curves, live, run_blank, runs, settings
from pages.shared.caches import cache_training
from pages.shared.frame.page_frame import Page
from pages.shared.training import run_status
from pages.shared.training.run_curves import Shown
from pages.shared.training.runs import Run

SLUG = "train_an_encoder"
RISEN = 1.03  # times the lowest held-out loss; less may be chance
STORED = "default"  # the stored run that the lesson opens on


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    watched, own = st.columns([5, 3], gap="large")
    with watched:
        run_status.watch(runs.MINE, _draw, page, run_blank.FILM.run_every)
    with own, st.container(border=True):
        settings.panel(page)


def _draw(page: Page) -> None:
    run_status.say_what_came_of_the_link(runs.MINE)
    # Looking is what keeps a run going, so each is looked at, shown or not.
    views = {run.name: runs.look(run) for run in runs.all_runs()}
    own = {run.name: run for run in runs.all_runs()}
    titles = {name: runs.title_of(page, run) for name, run in own.items()}
    # "stored" is the name that links have for it.
    stored = {"stored": runs.stored_title(page, STORED)}
    name = run_status.choose_shown(SLUG, titles, stored)
    chosen = own.get(name)
    if chosen is not None:
        run_status.status(SLUG, runs.MINE, chosen, views[name], live.telling(page))
    shown = _shown(page, chosen, views)
    at = run_blank.show(page, shown[0])
    curves.show(page, shown[::-1], at=at, key=f"{SLUG}_curves", is_polled=True)
    _say_overfitting(page, shown[0])


def _say_overfitting(page: Page, run: Shown) -> None:
    """Say where the held-out loss was lowest, once it has clearly risen."""
    tests = run.snapshot.held_out
    best = min(tests, key=lambda point: point.loss)
    if tests[-1].loss > RISEN * best.loss:
        loss, last = formatted(best.loss, ".3f"), formatted(tests[-1].loss, ".3f")
        values = {"step": formatted(best.step, ","), "loss": loss, "last": last}
        st.warning(page.words.section("run.overfitting", **values), icon=":material/trending_up:")


def _shown(page: Page, chosen: Run | None, views: dict) -> list[Shown]:
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
