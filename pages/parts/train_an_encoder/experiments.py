"""Ready experiments: one setting changed, a guess, then what came of it in stored runs."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import curves, experiments_masking, runs
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, whole_page
from pages.shared.training.run_curves import Shown

if TYPE_CHECKING:
    from mlm_core.small_runs.held_out import HeldOutPoint
    from mlm_core.small_runs.snapshot import Snapshot

SLUG = "train_an_encoder"
OUTCOMES = ("lower", "same", "higher")
MASKING = "static_masking"  # several runs of each kind, so it has a module of its own


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What is asked of one change, and over which share of the test it is judged."""

    measure: "Callable[[HeldOutPoint], float]"
    share_of_test: float  # of the asked tokens that the measure is over


EXPERIMENTS = {
    "no_nsp": Experiment(measure=lambda point: point.accuracy, share_of_test=1.0),
    # A tenth of the test's tokens is shown as they are, as in training with 80/10/10.
    "mask_only": Experiment(measure=lambda point: point.accuracy_at_kept, share_of_test=0.1),
    "next_word": Experiment(measure=lambda point: point.accuracy, share_of_test=1.0),
    "half_width": Experiment(measure=lambda point: point.accuracy, share_of_test=1.0),
}


@part
def show(page: Page) -> None:
    """Ask for a guess about one change, then show both runs and whether the guess was right."""
    words = page.words
    st.markdown(words.section("experiments.lead"))
    names = {name: words.label(f"stored_{name}") for name in (*EXPERIMENTS, MASKING)}
    name = inputs.choice(words.label("experiment"), names, key=f"{SLUG}_experiment")
    st.markdown(f"**{words.section(f'experiments.{name}')}**")
    options = {outcome: words.label(f"guess_{outcome}") for outcome in OUTCOMES}
    guess = ask_for_guess(page, "experiment", options, key=f"{SLUG}_guess_{name}")
    if name == MASKING:
        if guess is not None:
            experiments_masking.reveal(page, guess)
        return
    if guess is not None:
        _reveal(page, name, guess)
    st.button(
        words.label("experiment_train"),
        on_click=_start,
        args=(page, name),
        icon=":material/play_arrow:",
        key=f"{SLUG}_experiment_train",
    )


def _start(page: Page, name: str) -> None:
    try:
        runs.start(cache_training.stored_run(name).settings)
    except ValueError as error:
        st.toast(page.words.section("experiments.no_room", reason=translated(str(error))))
    else:
        whole_page.want()  # the opening shows the run


def _reveal(page: Page, name: str, guess: str) -> None:
    words, experiment = page.words, EXPERIMENTS[name]
    usual, changed = cache_training.stored_run("default"), cache_training.stored_run(name)
    before, after = (experiment.measure(run.held_out[-1]) for run in (usual, changed))
    n = round(usual.baselines.n_predictions * experiment.share_of_test)
    margin = 2 * sqrt((before * (1 - before) + after * (1 - after)) / max(1, n))
    outcome = "same" if abs(after - before) <= margin else "lower" if after < before else "higher"
    right = guess == outcome
    st.markdown(
        words.section(
            "experiments.right" if right else "experiments.wrong",
            outcome=words.plain(f"guess_{outcome}"),
            before=formatted(100 * before, ".1f"),
            after=formatted(100 * after, ".1f"),
            margin=formatted(100 * margin, ".1f"),
        )
    )
    st.markdown(words.section(f"experiments.{name}_why"))
    titles = (runs.stored_title(page, "default"), runs.stored_title(page, name))
    shown = [
        Shown(title=title, snapshot=run, pen=pen)
        for pen, (title, run) in enumerate(zip(titles, (usual, changed), strict=True))
    ]
    curves.show(page, shown, key=f"{SLUG}_experiment_curves")
    table = _table(dict(zip(titles, (usual, changed), strict=True)))
    Table([[_short(entry) for entry in row] for row in table.rows], table.columns).show()
    keep(f"{SLUG}_experiment", table=table, source=words.label("experiment_source"))


def _short(entry: object) -> object:
    return float(f"{entry:.3g}") if isinstance(entry, float) else entry


def _table(both: "dict[str, Snapshot]") -> Table:
    """Return the last test of each run, a line a run."""
    rows = []
    for title, run in both.items():
        last = run.held_out[-1]
        rows.append(
            {
                "run": title,
                "loss": last.loss,
                "accuracy": last.accuracy,
                "at [MASK]": last.accuracy_at_masked,
                "at a random word": last.accuracy_at_random,
                "at the word itself": last.accuracy_at_kept,
                "NSP accuracy": last.next_sentence_accuracy,
            }
        )
    return Table(rows)
