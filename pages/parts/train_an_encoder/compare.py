"""Runs side by side: what differs, what each reached, and their curves on the same axes."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.train_an_encoder import compare_table, curves, runs
from pages.shared.caches import cache_training
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, whole_page
from pages.shared.training.run_curves import Shown

if TYPE_CHECKING:
    from mlm_core.small_runs.snapshot import Snapshot

SLUG = "train_an_encoder"
CHOSEN = f"{SLUG}_compared"
MOST_CURVES = 4
START = ("default", "no_nsp")  # laid over each other before anyone chooses


@part
def show(page: Page) -> None:
    """Show the table of all runs, then the curves of up to four."""
    from mlm_core.small_runs.held_out import HeldOutTest

    words = page.words
    st.markdown(words.section("compare.lead"))
    titles, snapshots = _all(page)
    waiting = [name for name in titles if name not in snapshots]
    compare_table.show(page, titles, snapshots)
    if waiting:
        listed = ", ".join(titles[name] for name in waiting)
        st.caption(words.section("compare.waiting", runs=listed))
    _buttons(page)
    chosen = _choose(page, titles, snapshots)
    if not chosen:
        st.info(words.section("compare.none"), icon=":material/checklist:")
    else:
        shown = [
            Shown(title=titles[name], snapshot=snapshots[name], pen=pen)
            for pen, name in enumerate(chosen)
        ]
        curves.show(page, shown, key=f"{SLUG}_compare")
        _warn(page, [run.snapshot for run in shown])
    st.markdown(words.section("compare.notice"))
    show_source(HeldOutTest, key=f"{SLUG}_compare_code")


def _all(page: Page) -> "tuple[dict[str, str], dict[str, Snapshot]]":
    """Return the titles of all runs, newest first, and what was seen of those that have begun."""
    titles, snapshots = {}, {}
    for run in reversed(runs.all_runs()):
        runs.look(run)
        titles[run.name] = runs.title_of(page, run)
        if run.seen is not None and run.seen.held_out:
            snapshots[run.name] = run.seen
    for name in runs.STORED:
        titles[name] = runs.stored_title(page, name)
        snapshots[name] = cache_training.stored_run(name)
    return titles, snapshots


def _choose(page: Page, titles: dict[str, str], snapshots: "dict[str, Snapshot]") -> list[str]:
    """Let the learner choose whose curves are laid over each other."""
    own = [name for name in snapshots if name not in runs.STORED]
    return inputs.several(
        page.words.label("compared", most=MOST_CURVES),
        {name: titles[name] for name in snapshots},
        key=CHOSEN,
        start=list(dict.fromkeys([*own[:2], *START])),
        most=MOST_CURVES,
    )


def _buttons(page: Page) -> None:
    """Show what can be done with the table: look again, and take a run of one's own off it."""
    own = runs.all_runs()
    if not own:
        return
    words = page.words
    with st.container(horizontal=True):
        st.button(words.label("button_refresh"), icon=":material/refresh:", key=f"{SLUG}_refresh")
        for run in reversed(own):
            st.button(
                words.label("button_remove", n=run.number),
                icon=":material/delete:",
                key=f"{SLUG}_remove_{run.number}",
                help=runs.title_of(page, run),
                on_click=_remove,
                args=(run,),
            )


def _remove(run: runs.Run) -> None:
    runs.remove(run)
    whole_page.want()  # the opening shows the run too


def _warn(page: Page, chosen: "list[Snapshot]") -> None:
    """Say which numbers of the chosen runs can't be compared."""
    words = page.words
    if len({snapshot.settings.objective == "next_word" for snapshot in chosen}) > 1:
        st.warning(words.section("compare.next_word"), icon=":material/balance:")
    if len({snapshot.settings.own_text for snapshot in chosen}) > 1:
        st.warning(words.section("compare.other_text"), icon=":material/balance:")
    elif len({snapshot.facts.vocabulary_got for snapshot in chosen}) > 1:
        st.warning(words.section("compare.other_vocabulary"), icon=":material/balance:")
