"""The curves of a few runs in one drawing: loss, perplexity or an accuracy over the steps."""

from collections.abc import Callable, Sequence
from functools import partial
from math import exp, log10
from typing import TYPE_CHECKING

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Level, curves_svg, nice_log_range, nice_range
from pages.shared.caches import cache_training
from pages.shared.figures.show import show_chart, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs
from pages.shared.training.run_curves import Points, Shown, lines_of, said_of

if TYPE_CHECKING:
    from mlm_core.small_runs.held_out import Baselines, HeldOutPoint
    from mlm_core.text.mini_world.floor import BestFigures

MEASURES = ("loss", "perplexity", "accuracy", "pairs")

# For each measure: its value at a test, and the value that needs no encoder.
_VALUE: "dict[str, Callable[[HeldOutPoint], float | None]]" = {
    "loss": lambda point: point.loss,
    "perplexity": lambda point: point.perplexity,
    "accuracy": lambda point: point.accuracy,
    "pairs": lambda point: point.next_sentence_accuracy,
}
_LEVEL: "dict[str, Callable[[Baselines], float | None]]" = {
    "loss": lambda baselines: baselines.unigram_loss,
    "perplexity": lambda baselines: exp(baselines.unigram_loss),
    "accuracy": lambda baselines: baselines.most_frequent_accuracy,
    "pairs": lambda baselines: baselines.next_sentence_accuracy,
}
_BEST: "dict[str, Callable[[BestFigures], float]]" = {
    "loss": lambda best: best.masked_language_loss,
    "perplexity": lambda best: exp(best.masked_language_loss),
    "accuracy": lambda best: best.masked_accuracy,
    "pairs": lambda best: best.next_sentence_accuracy,
}


def show(
    page: Page, shown: Sequence[Shown], *, key: str, at: int | None = None, is_polled: bool = False
) -> None:
    """Let the learner choose a measure, and draw it for all runs on the same axes.

    Curves that a class asks for once a second (`is_polled`) are SVG; mlm_core/figures/curves.py
    has the reason.
    """
    words = page.words
    names = {name: words.label(f"measure_{name}") for name in MEASURES}
    measure = inputs.choice(words.label("measure"), names, key=f"{key}_measure")
    tests = partial(_points, measure=measure)
    lines = lines_of(words, shown, tests, _training if measure == "loss" else None)
    levels = _levels(page, shown, measure)
    values = [value for line in lines for _, value in line.points]
    values += [level.value for level in levels]
    logarithmic = measure == "perplexity"
    low, high = nice_log_range(values) if logarithmic else nice_range(values)
    if measure in ("accuracy", "pairs"):
        low, high = 0.0, 1.0
    last_step = max(run.snapshot.n_steps for run in shown)
    titles = {
        "x_title": words.plain("curve_steps"),
        "y_title": words.plain(f"axis_{measure}"),
    }
    alt = said_of(words, shown, tests, titles["y_title"])
    kept = {"table": lambda: _table(shown), "source": words.label(f"source_{measure}")}
    if is_polled:
        svg = curves_svg(
            lines,
            last_step=last_step,
            y_range=(low, high),
            alt=alt,
            levels=levels,
            at=at,
            logarithmic=logarithmic,
            **titles,
        )
        show_drawing(svg, key=key, **kept)
        return
    # plotly takes the exponents of a logarithmic axis's ends.
    y_axis = {"range": (log10(low), log10(high)) if logarithmic else (low, high)}
    chart = lines_chart(
        lines,
        levels=levels,
        x_axis={"range": (-0.01 * last_step, 1.01 * last_step)},
        y_axis=y_axis | {"type": "log" if logarithmic else "linear"},
        **titles,
    )
    show_chart(chart, key=key, alt=alt, **kept)


def _training(run: Shown) -> Points:
    return [(point.step, point.language_loss) for point in run.snapshot.losses]


def _points(run: Shown, measure: str) -> Points:
    values = [(point.step, _VALUE[measure](point)) for point in run.snapshot.held_out]
    return [(step, value) for step, value in values if value is not None]


def _levels(page: Page, shown: Sequence[Shown], measure: str) -> list[Level]:
    """Return what needs no encoder, and what no encoder can beat; equal tests share them."""
    bests = [cache_training.best_possible(run.snapshot.settings) for run in shown]
    best = {
        round(_BEST[measure](known), 6)
        for run, known in zip(shown, bests, strict=True)
        if known is not None
        and (measure != "pairs" or run.snapshot.settings.objective == "mlm_nsp")
    }
    best_name = page.words.plain("level_best")
    values = {
        round(value, 6)
        for run in shown
        if run.snapshot.baselines is not None
        and (value := _LEVEL[measure](run.snapshot.baselines)) is not None
    }
    name = page.words.plain(f"level_{measure}")
    levels = [Level(name=name, value=value) for value in sorted(values)]
    return levels + [Level(name=best_name, value=value) for value in sorted(best)]


def _table(shown: Sequence[Shown]) -> Table:
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
    return Table(tests + training)
