"""Does training on pairs help with pairs? A frozen encoder, a small classifier, two runs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.train_an_encoder import runs
from pages.shared.caches import cache_training
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part

if TYPE_CHECKING:
    from mlm_core.probing.pair_task import PairResult, PairTaskResult
    from mlm_core.small_runs.snapshot import Snapshot

FOUND = "train_an_encoder_pair_results"  # session state: results by (settings, step)
MOST_KEPT = 12


@part()
def show(p: Part) -> None:
    """Ask for a guess, then judge the default run, the one without NSP, and the learner's."""
    from mlm_core.probing.pair_task import judge, pair_vectors

    p.say("lead")
    guess = p.guess("pair", ("nsp", "same", "mlm"))
    chosen = runs.choose_snapshot(p)
    pressed = st.button(
        p.label("pair_measure"),
        disabled=guess is None,
        icon=":material/query_stats:",
        key=p.key("pair_measure"),
    )
    if guess is None:
        return
    wanted = {
        runs.stored_title(p, name): cache_training.stored_run(name)
        for name in ("default", "no_nsp")
    }
    if chosen is not None:
        wanted.setdefault(*chosen)
    results = {title: _result(p, title, run, measure=pressed) for title, run in wanted.items()}
    found = {title: result for title, result in results.items() if result is not None}
    if len(found) == len(results):
        _say(p, found, guess)
        p.code("pair", pair_vectors, judge)


def _result(p: Part, title: str, snapshot: "Snapshot", *, measure: bool) -> "PairTaskResult | None":
    """Return a run's result; measure it, with a bar, if it is asked for and not yet known."""
    kept = st.session_state.setdefault(FOUND, {})
    name = (snapshot.settings, snapshot.checkpoints[-1].step)
    if name not in kept and measure:
        label = p.label("pair_measuring", run=title)
        bar = st.progress(0.0, label)
        for share, result in _measured(snapshot):
            bar.progress(min(1.0, share), label)
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


def _say(p: Part, results: "dict[str, PairTaskResult]", guess: str) -> None:
    usual, without = (
        results[runs.stored_title(p, name)].from_cls for name in ("default", "no_nsp")
    )
    outcome = _compare(usual, without)
    p.say(
        "right" if guess == outcome else "wrong",
        outcome=p.plain(f"pair_guess_{outcome}"),
        usual=usual.accuracy,
        without=without.accuracy,
        error=usual.standard_error,
    )
    table = Table(
        [
            {
                "run": title,
                "vector": p.plain(f"pair_vector_{kind}"),
                "accuracy": found.accuracy,
                "standard error": found.standard_error,
                "accuracy in training": found.train_accuracy,
                "pairs": found.n_pairs,
            }
            for title, result in results.items()
            for kind, found in (("cls", result.from_cls), ("mean", result.from_mean))
        ]
    )
    table.show()
    p.numbers("pair", table)
    p.say("notice")


def _compare(usual: "PairResult", without: "PairResult") -> str:
    """Return which is better beyond two standard errors of their difference."""
    error = (usual.standard_error**2 + without.standard_error**2) ** 0.5
    difference = usual.accuracy - without.accuracy
    return "same" if abs(difference) <= 2 * error else "nsp" if difference > 0 else "mlm"
