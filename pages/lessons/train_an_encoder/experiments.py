"""One setting changed: a guess, what came of it in stored runs, and all runs side by side."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.charts import lines_chart, log_axis, percent_axis
from mlm_core.figures.curves import Curve, Level
from pages.kit.caches import cache_training
from pages.kit.part import Part, Table, part
from pages.kit.training.run_curves import Shown
from pages.lessons.train_an_encoder import curves, runs
from pages.server.course.core_messages import translated
from pages.server.frame.guess import ask_for_guess
from pages.server.link import whole_page

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import SeedMean
    from mlm_core.probing.pair_task import PairTaskResult
    from mlm_core.small_runs.mask_rates import HiddenShare
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.stored.mask_rates import MaskRateRun
    from mlm_core.stored.nsp_effect import PairScores
    from mlm_core.stored.static_masking import MaskingRun

OUTCOMES = ("lower", "same", "higher")
# Judged where the test shows the word itself: at a tenth of its tokens, as in 80/10/10.
AT_KEPT, SHARE_KEPT = "mask_only", 0.1
WAYS = ("once", "ten", "anew")
MOST_CURVES = 4
NSP, ON_PAIRS = "no_nsp", ("default", "no_nsp")  # runs whose [CLS] is judged on pairs
TASK_HEIGHT = 300  # pixels, of a chart beside another one
FOUND = "train_an_encoder_pair_results"  # session state: results by run


@part()
def show(p: Part) -> None:
    """Ask for a guess about one change, then show both runs and whether the guess was right."""
    p.say("lead")
    name = p.choice("experiment")
    p.say(name)
    guess = ask_for_guess(p.page, "experiment", OUTCOMES, key=p.key(f"guess_{name}"))
    reveal = {"static_masking": _reveal_masking, "mask_rates": _reveal_rates}.get(name)
    if reveal is not None:  # several runs of each kind
        if guess is not None:
            reveal(p, guess)
    else:
        if guess is not None:
            _reveal(p, name, guess)
        # Before the guess, what is known already.
        _show_runs(p, ("default", name) if guess is not None else ("default",))
        p.button("experiment_train", _start, p, name, icon="play_arrow")
    if name == NSP and guess is not None:
        with p.fold("pairs", "link"):
            _judge_pairs(p)
        with p.fold("other_tasks", "compare"):
            _show_other_tasks(p)


def _start(p: Part, name: str) -> None:
    try:
        runs.start(cache_training.stored_run(name).settings)
    except ValueError as error:
        p.toast("no_room", reason=translated(str(error)))
    else:
        p.draw_whole_page()  # the opening shows the run


def _reveal(p: Part, name: str, guess: str) -> None:
    """Say how the changed run did beside the usual one, and whether that may be chance."""
    usual, changed = cache_training.stored_run("default"), cache_training.stored_run(name)
    lasts = [run.held_out[-1] for run in (usual, changed)]
    at_kept = name == AT_KEPT
    before, after = (one.accuracy_at_kept if at_kept else one.accuracy for one in lasts)
    assert before is not None and after is not None and usual.baselines is not None
    n = round(usual.baselines.n_predictions * (SHARE_KEPT if at_kept else 1))
    margin = 2 * sqrt((before * (1 - before) + after * (1 - after)) / max(1, n))
    outcome = "same" if abs(after - before) <= margin else "lower" if after < before else "higher"
    _say_verdict(p, guess, outcome)
    p.say("found", before=before, after=after, margin=margin)
    p.say(f"{name}_why")


def _say_verdict(p: Part, guess: str, outcome: str) -> None:
    p.tell_right("experiment", outcome)
    p.say("right" if guess == outcome else "wrong", outcome=p.plain(f"experiment_guess_{outcome}"))


# All runs, the learner's too: their curves on the same axes, and their last tests as a table.


def _show_runs(p: Part, stored: Sequence[str]) -> None:
    """Show the curves of up to four runs; `stored` and the newest of one's own to begin with."""
    titles, snapshots = runs.tested_runs(p)
    own = [name for name in snapshots if name not in runs.STORED]
    start = [*own[: MOST_CURVES - len(stored)], *stored]
    options = {name: titles[name] for name in snapshots}
    with p.popover("compared", "checklist", most=MOST_CURVES):
        chosen = p.several("compared", options, start=start, most=MOST_CURVES)
    if chosen:
        shown = [
            Shown(title=titles[name], snapshot=snapshots[name], pen=pen)
            for pen, name in enumerate(chosen)
        ]
        curves.show(p, "compare", shown)
        _warn(p, [run.snapshot for run in shown])
    else:
        p.note("none", icon="checklist")
    with p.fold("table", "table_rows"):
        runs.show_table(p, titles, snapshots)
        if waiting := [title for name, title in titles.items() if name not in snapshots]:
            p.caption("waiting", runs=", ".join(waiting))
        _buttons(p)
        last = [run.held_out[-1] for run in cache_training.masking_runs() if run.way == "anew"]
        p.say("seeds", n=len(last), deviation=stdev(last), range=max(last) - min(last))


def _buttons(p: Part) -> None:
    """Show what can be done with the table: look again, and take a run of one's own off it."""
    own = runs.all_runs()
    if not own:
        return
    with p.row("top"):
        st.button(p.label("refresh"), icon=":material/refresh:", key=p.key("refresh"))
        for run in reversed(own):
            st.button(
                p.label("remove", n=run.number),
                icon=":material/delete:",
                key=p.key(f"remove_{run.number}"),
                help=runs.title_of(p, run),
                on_click=_remove,
                args=(run,),
            )


def _remove(run: runs.Run) -> None:
    runs.remove(run)
    whole_page.want()  # the opening shows the run too


def _warn(p: Part, chosen: "list[Snapshot]") -> None:
    """Say which numbers of the chosen runs can't be compared."""
    if len({snapshot.settings.objective == "next_word" for snapshot in chosen}) > 1:
        p.warn("other_task", icon="balance")
    if len({snapshot.settings.own_text for snapshot in chosen}) > 1:
        p.warn("other_text", icon="balance")
    elif len({snapshot.facts and snapshot.facts.vocabulary_got for snapshot in chosen}) > 1:
        p.warn("other_vocabulary", icon="balance")


# Does training on pairs help with pairs? A frozen encoder and a small classifier.


def _judge_pairs(p: Part) -> None:
    """Judge the default run's [CLS] and that of the run without NSP, when asked."""
    from mlm_core.probing.pair_task import judge, pair_vectors

    p.say("pairs")
    found = p.state.setdefault("pair_results", {})
    if st.button(p.label("measure"), icon=":material/query_stats:", key=p.key("pair_measure")):
        for name in ON_PAIRS:
            if name not in found:
                found[name] = _judged(p, name)
    if len(found) < len(ON_PAIRS):
        return
    usual, without = (found[name].from_cls for name in ON_PAIRS)
    p.say(
        "pairs_found",
        usual=usual.accuracy,
        without=without.accuracy,
        error=usual.standard_error,
    )
    table = Table(
        [
            {
                "run": runs.stored_title(p, name),
                "vector": p.plain(f"vector_{kind}"),
                "accuracy": one.accuracy,
                "standard error": one.standard_error,
                "accuracy in training": one.train_accuracy,
                "pairs": one.n_pairs,
            }
            for name in ON_PAIRS
            for kind, one in (("cls", found[name].from_cls), ("mean", found[name].from_mean))
        ]
    )
    table.show()
    p.numbers("pair", table)
    p.say("pairs_notice")
    p.code("pair", pair_vectors, judge)


def _judged(p: Part, name: str) -> "PairTaskResult":
    """Return a stored run's result, with a bar while it is measured."""
    from mlm_core.probing.pair_task import N_HELD_OUT, N_TRAIN, PAIRS_A_PASS, pair_task

    snapshot = cache_training.stored_run(name)
    text, model = cache_training.prepared_text(snapshot.settings), cache_training.model_at(snapshot)
    label = p.label("measuring", run=runs.stored_title(p, name))
    bar, found = st.progress(0.0, label), None
    n_pieces = (N_TRAIN + N_HELD_OUT) / PAIRS_A_PASS + 2
    for i, result in enumerate(pair_task(model.bert, text, seed=1), start=1):
        bar.progress(min(1.0, i / n_pieces), label)
        found = result
    bar.empty()
    assert found is not None  # the last has it
    return found


# Does it help with other tasks? Stored fine-tunings of encoders with and without NSP.


def _show_other_tasks(p: Part) -> None:
    """Draw both ways to pretrain on two pair tasks that are not NSP, and say what is clear."""
    from mlm_core.labelled.world_pairs import PAIR_TASKS, draw_pairs
    from mlm_core.stored.nsp_effect import SEEDS

    p.say("other_tasks", n=len(SEEDS))
    for task, column in zip(PAIR_TASKS, p.columns(), strict=True):
        with column:
            p.say(f"task_{task}")
            _show_task(p, task)
    p.say("other_tasks_notice")
    p.code("other_tasks", draw_pairs)


def _show_task(p: Part, task: str) -> None:
    """Draw the accuracy by the number of labels, and say whether NSP makes a difference."""
    from mlm_core.evaluation.seeds import Variant, compare
    from mlm_core.labelled.world_pairs import MAJORITY, N_PAIRS

    n_test, reached = N_PAIRS["test"], {name: {} for name in ON_PAIRS}
    rows = [row for row in cache_training.pair_scores() if row.task == task]
    for row in rows:
        name = "default" if row.objective == "mlm_nsp" else "no_nsp"
        reached[name][row.n_labels] = Variant(name=name, proportions=row.test)
    curves = [
        Curve(
            name=p.plain(f"task_{name}"),
            points=[(n, one.mean) for n, one in variants.items()],
            errors=[one.margin(n_test) for one in variants.values()],
            pen=pen,
            dots=True,
        )
        for pen, (name, variants) in enumerate(reached.items())
    ]
    most = max(row.n_labels for row in rows)
    usual, without = (reached[name][most] for name in ON_PAIRS)
    told: dict[str, Any] = {"n": most, "usual": usual.mean, "without": without.mean}
    about = {"task": p.plain(f"task_{task}"), "n_test": n_test, "majority": MAJORITY}
    about["n_seeds"] = len(usual.proportions)
    chart = lines_chart(
        curves,
        levels=[Level(name=p.plain("task_majority"), value=MAJORITY)],
        x_title=p.plain("task_x"),
        y_title=p.plain("task_y"),
        x_axis=log_axis(list(reached["default"])),
        y_axis=percent_axis((0.4, 0.6, 0.8, 1.0)),
        height=TASK_HEIGHT,
    )
    table = [_task_row(p, row) for row in rows]
    p.figure(f"{task}_chart", chart, table, alt="task_alt", source="task_source", **told, **about)
    found = compare(usual, without, n_test)
    kind = "clear" if found.is_significant else "unclear"
    p.say(f"task_{kind}", difference=found.difference, margin=found.margin, **told)


def _task_row(p: Part, row: "PairScores") -> dict[str, object]:
    return {
        "objective": p.plain(f"set_objective_{row.objective}"),
        "labels": row.n_labels,
        "proportion_right": fmean(row.test),
        "lowest": min(row.test),
        "highest": max(row.test),
        "dev": fmean(row.dev),
        "trained": p.plain(f"task_trained_{row.trained}"),
        "pooling": p.plain(f"vector_{row.pooling}"),
    }


# Static and dynamic masking: several runs of each.


def _reveal_masking(p: Part, guess: str) -> None:
    """Say which way of masking has the higher held-out loss, and draw the curves of all."""
    from mlm_core.evaluation.seeds import seed_mean
    from mlm_core.small_runs.static_masking import RepeatedTask

    found = cache_training.masking_runs()
    seeds = sorted({run.seed for run in found})
    last = {(run.way, run.seed): run.held_out[-1] for run in found}
    once, ten = (
        seed_mean([last[way, seed] - last["anew", seed] for seed in seeds])
        for way in ("once", "ten")
    )
    told: dict[str, Any] = {"n": len(seeds)}
    for way, one in (("once", once), ("ten", ten)):
        low, high = one.mean - one.margin, one.mean + one.margin
        told |= {f"{way}_mean": one.mean, f"{way}_low": low, f"{way}_high": high}
    _say_verdict(p, guess, _outcome_of(once))
    p.say("masking_found", **told)
    _draw_masking(p, found, len(seeds))
    p.say("masking_ten_clear" if ten.is_clear else "masking_ten_unclear", **told)
    p.say("static_masking_why")
    p.code("masking", RepeatedTask, seed_mean)


def _draw_masking(p: Part, found: "tuple[MaskingRun, ...]", n_seeds: int) -> None:
    names = {way: p.plain(f"masking_{way}") for way in WAYS}
    lines = []
    for pen, way in enumerate(WAYS):
        own = [run for run in found if run.way == way]
        lines.append(_mean_curve(names[way], own[0].steps, [run.held_out for run in own], pen))
    ends: dict[str, Any] = {way: line.points[-1][1] for way, line in zip(WAYS, lines, strict=True)}
    titles: dict[str, Any] = {"x_title": p.plain("curve_steps"), "y_title": p.plain("masking_axis")}
    p.figure(
        "masking_curves",
        lines_chart(lines, y_axis={"rangemode": "tozero"}, **titles),
        lambda: [
            {"run": names[run.way], "seed": run.seed, "step": step, "loss": loss, "training": t}
            for run in found
            for step, loss, t in zip(run.steps, run.held_out, run.training, strict=True)
        ],
        n=n_seeds,
        **ends,
    )


def _mean_curve(
    name: str, x: Sequence[int], of_seeds: Sequence[Sequence[float]], pen: int
) -> Curve:
    """Return the mean over the seeds at each x, with half of its interval."""
    from mlm_core.evaluation.seeds import seed_mean

    means = [seed_mean(values) for values in zip(*of_seeds, strict=True)]
    return Curve(
        name=name,
        points=[(at, one.mean) for at, one in zip(x, means, strict=True)],
        errors=[one.margin for one in means],
        pen=pen,
        dots=True,
    )


def _outcome_of(difference: "SeedMean") -> str:
    """Return what a difference of seeds says, and whether it may be chance."""
    if not difference.is_clear:
        return "same"
    return "higher" if difference.mean > 0 else "lower"


# 15 % hidden or any share: several runs of each, and what they write.


def _reveal_rates(p: Part, guess: str) -> None:
    """Say which encoder writes better from blanks alone, and draw both by the steps."""
    from mlm_core.evaluation.seeds import seed_mean
    from mlm_core.small_runs.mask_rates import HIDDEN_SHARES, choose_drawn, share_of_neighbours

    found = cache_training.mask_rate_runs()
    runs_of = {one: [run for run in found if run.share == one] for one in HIDDEN_SHARES}
    gain = seed_mean(
        [
            drawn.neighbours[-1] - fixed.neighbours[-1]
            for fixed, drawn in zip(runs_of["fixed"], runs_of["drawn"], strict=True)
        ]
    )
    told: dict[str, Any] = {"n": len(runs_of["fixed"]), "gain": gain.mean, "margin": gain.margin}
    for name, own in runs_of.items():
        told[name] = fmean(run.neighbours[-1] for run in own)
        told[f"{name}_written"] = " · ".join(run.sentences[0] for run in own)
        for at, place in (("usual", 0), ("half", 1), ("all", -1)):
            told[f"{name}_{at}"] = fmean(run.losses[place] for run in own)
    _say_verdict(p, guess, _outcome_of(gain))
    p.say("rates_found", **told)
    _draw_rates(p, runs_of, told)
    p.say("rates_written", **told)
    p.say("mask_rates_why", **told)
    p.code("rates", choose_drawn, share_of_neighbours)


def _draw_rates(
    p: Part, runs_of: "dict[HiddenShare, list[MaskRateRun]]", told: dict[str, Any]
) -> None:
    from mlm_core.stored.mask_rates import STEPS

    lines = [
        _mean_curve(p.plain(f"rates_{name}"), STEPS, [run.neighbours for run in own], pen)
        for pen, (name, own) in enumerate(runs_of.items())
    ]
    chart = lines_chart(
        lines,
        x_title=p.plain("rates_x"),
        y_title=p.plain("rates_y"),
        x_axis=log_axis(STEPS),
        y_axis=percent_axis((0.0, 0.25, 0.5, 0.75, 1.0)),
    )
    table = [
        {"run": p.plain(f"rates_{run.share}"), "seed": run.seed, "steps": n, "neighbours": one}
        for own in runs_of.values()
        for run in own
        for n, one in zip(STEPS, run.neighbours, strict=True)
    ]
    p.figure("rates_curves", chart, table, **told)
