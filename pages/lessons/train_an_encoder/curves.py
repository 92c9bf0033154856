"""The curves of a few runs in one drawing: loss, perplexity or an accuracy over the steps."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import exp, log10
from typing import Any

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Level, curves_svg, nice_log_range, nice_range
from mlm_core.small_runs.held_out import Baselines, HeldOutPoint
from mlm_core.text.mini_world.floor import BestFigures
from pages.kit.part import Part
from pages.kit.training.run_curves import Points, Shown, lines_of, said_of_runs
from pages.lessons.train_an_encoder.computed import best_possible

# For each measure: its value at a test, the value that needs no encoder, and the best possible.
_VALUE: dict[str, Callable[[HeldOutPoint], float | None]] = {
    "loss": lambda point: point.loss,
    "perplexity": lambda point: point.perplexity,
    "accuracy": lambda point: point.accuracy,
    "pairs": lambda point: point.next_sentence_accuracy,
}
_LEVEL: dict[str, Callable[[Baselines], float | None]] = {
    "loss": lambda baselines: baselines.unigram_loss,
    "perplexity": lambda baselines: exp(baselines.unigram_loss),
    "accuracy": lambda baselines: baselines.most_frequent_accuracy,
    "pairs": lambda baselines: baselines.next_sentence_accuracy,
}
_BEST: dict[str, Callable[[BestFigures], float]] = {
    "loss": lambda best: best.masked_language_loss,
    "perplexity": lambda best: exp(best.masked_language_loss),
    "accuracy": lambda best: best.masked_accuracy,
    "pairs": lambda best: best.next_sentence_accuracy,
}


def show(
    p: Part,
    name: str,
    shown: Sequence[Shown],
    *,
    controls: AbstractContextManager | None = None,
    at: int | None = None,
    is_polled: bool = False,
) -> None:
    """Let the learner choose a measure, next to other `controls`, and draw it for all runs.

    Curves that a class asks for once a second (`is_polled`) are SVG; mlm_core/figures/curves.py
    has the reason.
    """
    with controls or nullcontext(), p.popover("measure", "tune"):
        measure = p.choice(f"{name}_measure")
    tests = partial(_points, measure=measure)
    lines = lines_of(p, shown, tests, _training if measure == "loss" else None)
    levels = _levels(p, shown, measure)
    values = [value for line in lines for _, value in line.points]
    values += [level.value for level in levels]
    logarithmic = measure == "perplexity"
    low, high = nice_log_range(values) if logarithmic else nice_range(values)
    if measure in ("accuracy", "pairs"):
        low, high = 0.0, 1.0
    last_step = max(run.snapshot.n_steps for run in shown)
    titles: dict[str, Any] = {
        "x_title": p.plain("curve_steps"),
        "y_title": p.plain(f"axis_{measure}"),
    }
    if is_polled:
        figure = partial(
            curves_svg,
            lines,
            last_step=last_step,
            y_range=(low, high),
            levels=levels,
            at=at,
            logarithmic=logarithmic,
            **titles,
        )
    else:
        # plotly takes the exponents of a logarithmic axis's ends.
        y_axis = {"range": (log10(low), log10(high)) if logarithmic else (low, high)}
        figure = lines_chart(
            lines,
            levels=levels,
            x_axis={"range": (-0.01 * last_step, 1.01 * last_step)},
            y_axis=y_axis | {"type": "log" if logarithmic else "linear"},
            **titles,
        )
    p.figure(
        name,
        figure,
        lambda: _rows(shown),
        alt="curve_alt",
        source=f"source_{measure}",
        is_on_card=False,  # there the film says what the opening shows
        measure=titles["y_title"],
        # Pre-training and fine-tuning say what their curves show in the same way.
        runs=said_of_runs(p, shown, tests),
    )


def _training(run: Shown) -> Points:
    return [(point.step, point.language_loss) for point in run.snapshot.losses]


def _points(run: Shown, measure: str) -> Points:
    values = [(point.step, _VALUE[measure](point)) for point in run.snapshot.held_out]
    return [(step, value) for step, value in values if value is not None]


def _levels(p: Part, shown: Sequence[Shown], measure: str) -> list[Level]:
    """Return what needs no encoder, and what no encoder can beat; equal tests share them."""
    snapshots = [run.snapshot for run in shown]
    guessed = [_LEVEL[measure](one.baselines) for one in snapshots if one.baselines is not None]
    best = [
        _BEST[measure](known)
        for one in snapshots
        if (known := best_possible(one.settings)) is not None
        and (measure != "pairs" or one.settings.objective == "mlm_nsp")
    ]
    names = (p.plain(f"level_{measure}"), p.plain("level_best"))
    return [
        Level(name=name, value=value)
        for name, found in zip(names, (guessed, best), strict=True)
        for value in sorted({round(one, 6) for one in found if one is not None})
    ]


def _rows(shown: Sequence[Shown]) -> list[dict[str, object]]:
    """Return every number of the curves: the tests, then the training loss."""
    tests = [
        {
            "run": run.title,
            "step": point.step,
            "held_out_loss": point.loss,
            "perplexity": point.perplexity,
            "accuracy": point.accuracy,
            "next_sentence_accuracy": point.next_sentence_accuracy,
        }
        for run in shown
        for point in run.snapshot.held_out
    ]
    training = [
        {"run": run.title, "step": point.step, "training_loss": point.language_loss}
        for run in shown
        for point in run.snapshot.losses
    ]
    return tests + training
