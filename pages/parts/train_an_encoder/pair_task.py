"""Does training on pairs help with pairs? A frozen encoder, a small classifier, two runs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import runs
from pages.shared.caches import cache_training
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.probing.pair_task import PairResult, PairTaskResult
    from mlm_core.small_runs.snapshot import Snapshot

SLUG = "train_an_encoder"
FOUND = f"{SLUG}_pair_results"  # session state: results by (settings, step)
MOST_KEPT = 12


@part
def show(page: Page) -> None:
    """Ask for a guess, then judge the default run, the one without NSP, and the learner's."""
    from mlm_core.probing.pair_task import judge, pair_vectors

    words = page.words
    st.markdown(words.section("pair_task.lead"))
    guess = ask_for_guess(page, "pair", ("nsp", "same", "mlm"), key=f"{SLUG}_pair_guess")
    chosen = runs.choose_snapshot(page)
    pressed = st.button(
        words.label("pair_measure"),
        disabled=guess is None,
        icon=":material/query_stats:",
        key=f"{SLUG}_pair_measure",
    )
    if guess is None:
        return
    wanted = {
        runs.stored_title(page, name): cache_training.stored_run(name)
        for name in ("default", "no_nsp")
    }
    if chosen is not None:
        wanted.setdefault(*chosen)
    results = {title: _result(page, title, run, measure=pressed) for title, run in wanted.items()}
    if all(result is not None for result in results.values()):
        _say(page, results, guess)
        show_source(pair_vectors, judge, key=f"{SLUG}_pair_code")


def _result(
    page: Page, title: str, snapshot: "Snapshot", *, measure: bool
) -> "PairTaskResult | None":
    """Return a run's result; measure it, with a bar, if it is asked for and not yet known."""
    kept = st.session_state.setdefault(FOUND, {})
    name = (snapshot.settings, snapshot.checkpoints[-1].step)
    if name not in kept and measure:
        bar = st.progress(0.0, page.words.label("pair_measuring", run=title))
        for share, result in _measured(snapshot):
            bar.progress(min(1.0, share), page.words.label("pair_measuring", run=title))
            if result is not None:
                kept[name] = result
        bar.empty()
        for oldest in list(kept)[:-MOST_KEPT]:
            del kept[oldest]
    return kept.get(name)


def _measured(snapshot: "Snapshot") -> "Iterator[tuple[float, PairTaskResult | None]]":
    """Yield how much is done, and at the end the result."""
    from mlm_core.probing.pair_task import N_HELD_OUT, N_TRAIN, PAIRS_A_PASS, pair_task

    text = cache_training.prepared_text(snapshot.settings)
    n_pieces = (N_TRAIN + N_HELD_OUT) / PAIRS_A_PASS + 2
    causal = snapshot.settings.objective == "next_word"
    bert = cache_training.model_at(snapshot).bert
    for i, result in enumerate(pair_task(bert, text, seed=1, causal=causal), start=1):
        yield i / n_pieces, result


def _say(page: Page, results: "dict[str, PairTaskResult]", guess: str) -> None:
    words = page.words
    rows = [
        {
            "run": title,
            "vector": words.plain(f"pair_vector_{kind}"),
            "accuracy": found.accuracy,
            "standard error": found.standard_error,
            "accuracy in training": found.train_accuracy,
            "pairs": found.n_pairs,
        }
        for title, result in results.items()
        for kind, found in (("cls", result.from_cls), ("mean", result.from_mean))
    ]
    usual, without = (results[runs.stored_title(page, name)] for name in ("default", "no_nsp"))
    outcome = _compare(usual.from_cls, without.from_cls)
    st.markdown(
        words.section(
            "pair_task.right" if guess == outcome else "pair_task.wrong",
            outcome=words.plain(f"pair_guess_{outcome}"),
            usual=formatted(100 * usual.from_cls.accuracy, ".0f"),
            without=formatted(100 * without.from_cls.accuracy, ".0f"),
            error=formatted(100 * usual.from_cls.standard_error, ".1f"),
            mean=formatted(100 * without.from_mean.accuracy, ".0f"),
        )
    )
    table = Table(rows)
    table.show()
    keep(f"{SLUG}_pair", table=table, source=words.label("pair_source"))
    st.markdown(words.section("pair_task.notice"))


def _compare(usual: "PairResult", without: "PairResult") -> str:
    """Return which is better beyond two standard errors of their difference."""
    error = (usual.standard_error**2 + without.standard_error**2) ** 0.5
    difference = usual.accuracy - without.accuracy
    return "same" if abs(difference) <= 2 * error else "nsp" if difference > 0 else "mlm"
