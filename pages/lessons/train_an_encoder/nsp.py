"""What NSP is for: what [CLS] knows about pairs with and without it, and two other tasks."""

from math import ceil
from statistics import fmean
from typing import Any

from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import compare
from mlm_core.figures.charts import lines_chart, log_axis, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.labelled.world_pairs import MAJORITY, N_PAIRS, PAIR_TASKS, draw_pairs
from mlm_core.probing.pair_task import (
    N_HELD_OUT,
    N_TRAIN,
    PAIRS_A_PASS,
    PairTaskResult,
    judge,
    pair_task,
    pair_vectors,
)
from mlm_core.stored.nsp_effect import SEEDS, PairScores
from pages.kit.caches import cache_training
from pages.kit.part import Part, Table
from pages.lessons.train_an_encoder import computed, runs

ON_PAIRS = ("default", "no_nsp")  # runs whose [CLS] is judged on pairs
TASK_HEIGHT = 300  # pixels, of a chart next to another one
FOUND = "pair_results"  # state: results by run

# Does training on pairs help with pairs? A frozen encoder and a small classifier.


def judge_pairs(p: Part) -> None:
    """Judge the default run's [CLS] and that of the run without NSP, when asked."""
    p.say("pairs")
    found = p.state.setdefault(FOUND, {})
    if p.button("pair_measure", icon="query_stats"):
        for name in ON_PAIRS:
            if name not in found:
                found[name] = _judged(p, name)
    if len(found) < len(ON_PAIRS):
        return
    usual, without = (found[name].from_cls for name in ON_PAIRS)
    lead = paired_lead(usual.right, without.right)
    interval = {"difference": lead.value, "low": lead.low, "high": lead.high}
    p.say("pairs_found", usual=usual.accuracy, without=without.accuracy, **interval)
    table = Table(
        [
            {
                "run": runs.stored_title(p, name),
                "vector": p.plain(f"vector_{kind}"),
                "accuracy": one.accuracy,
                "accuracy in training": one.train_accuracy,
                "pairs": len(one.right),
            }
            for name in ON_PAIRS
            for kind, one in (("cls", found[name].from_cls), ("mean", found[name].from_mean))
        ]
    )
    table.show()
    p.numbers("pair", table)
    p.say("pairs_notice")
    p.code("pair", pair_vectors, judge)


def _judged(p: Part, name: str) -> PairTaskResult:
    """Return a stored run's result, with a bar while it is measured."""
    snapshot = cache_training.stored_run(name)
    text, model = computed.prepared_text(snapshot.settings), cache_training.model_at(snapshot)
    # A piece for each pass of the encoder, and one for each of the two classifiers.
    n_pieces = sum(ceil(n / PAIRS_A_PASS) for n in (N_TRAIN, N_HELD_OUT)) + 2
    bar = p.progress("measuring", range(n_pieces), run=runs.stored_title(p, name))
    task = pair_task(model.bert, text, seed=1, n_train=N_TRAIN, n_held_out=N_HELD_OUT)
    *_, (_, found) = zip(bar, task, strict=True)
    assert found is not None  # the last piece has it
    return found


# Does it help with other tasks? Stored fine-tunings of encoders with and without NSP.


def show_other_tasks(p: Part) -> None:
    """Draw both ways to pretrain on two pair tasks that are not NSP, and say what is clear."""
    p.say("other_tasks", n=len(SEEDS))
    for task, column in zip(PAIR_TASKS, p.columns(), strict=True):
        with column:
            p.say(f"task_{task}")
            _show_task(p, task)
    p.say("other_tasks_notice")
    p.code("other_tasks", draw_pairs)


def _show_task(p: Part, task: str) -> None:
    """Draw the accuracy by the number of labels, and say whether NSP makes a difference."""
    n_test, reached = N_PAIRS["test"], {name: {} for name in ON_PAIRS}
    rows = [row for row in computed.pair_scores() if row.task == task]
    for row in rows:
        name = "default" if row.objective == "mlm_nsp" else "no_nsp"
        reached[name][row.n_labels] = row.variant
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
    found = compare(usual, without)
    kind = "clear" if found.is_significant else "unclear"
    p.say(f"task_{kind}", difference=found.difference, margin=found.margin, **told)


def _task_row(p: Part, row: PairScores) -> dict[str, object]:
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
