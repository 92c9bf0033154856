"""The curves of fine-tunings in one drawing: loss, share right or F1 over the steps."""

from collections.abc import Callable, Sequence
from functools import partial
from math import log
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.curves import Level, curves_svg, nice_range
from pages.kit.training.run_curves import Points, Shown, lines_of, said_of
from pages.server.caches import cache_finetuning, own_models
from pages.server.course.words import read_words
from pages.server.figures.show import show_drawing
from pages.server.figures.table import Table
from pages.server.frame.page_frame import Page
from pages.server.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot, FineTuneTest

MEASURES = ("share", "f1", "loss")
_VALUE: "dict[str, Callable[[FineTuneTest], float]]" = {
    "loss": lambda test: test.loss,
    "share": lambda test: test.proportion_right,
    "f1": lambda test: test.f1,
}


def show(page: Page, shown: Sequence[Shown], *, key: str) -> None:
    """Let the learner choose a measure, and draw it for all runs on the same axes.

    All runs are of one kind of data; the first says which levels they are compared with.
    """
    words, kind = read_words("finetune_runs"), shown[0].snapshot.data.kind
    names = {name: words.label(f"measure_{_of(name, kind)}") for name in MEASURES}
    default = "f1" if kind == "tags" else "share"
    with st.popover(words.label("measure"), icon=":material/tune:"):
        measure = inputs.choice(
            words.label("measure"), names, key=f"{key}_measure", default=default
        )
    tests = partial(_points, measure=measure)
    lines = lines_of(words, shown, tests, _training if measure == "loss" else None, _name)
    levels = _levels(shown[0].snapshot, measure)
    values = [value for line in lines for _, value in line.points]
    values += [level.value for level in levels]
    show_drawing(
        curves_svg(
            lines,
            last_step=max(run.snapshot.n_steps for run in shown),
            y_range=nice_range(values) if measure == "loss" else (0.0, 1.0),
            x_title=words.plain("curve_steps"),
            y_title=words.plain(f"axis_{measure}"),
            alt=said_of(words, shown, tests, words.plain(f"measure_{_of(measure, kind)}")),
            levels=levels,
        ),
        key=key,
        table=lambda: _table(shown),
        source=_source(shown, measure, kind),
    )


def _name(run: Shown) -> str:
    """Return the label of a run's dots, which says on which part they are measured."""
    return "line_dev" if run.snapshot.data.watched == "dev" else "line_tests"


def _of(measure: str, kind: str) -> str:
    """Return the name of a measure's words: shares and F1 differ with what is asked."""
    return measure if measure == "loss" else f"{measure}_{kind}"


def _training(run: Shown) -> Points:
    return [(point.step, point.loss) for point in run.snapshot.losses]


def _points(run: Shown, measure: str) -> Points:
    return [(test.step, _VALUE[measure](test)) for test in run.snapshot.tests]


def _levels(snapshot: "FineTuneSnapshot", measure: str) -> list[Level]:
    """Return what anyone reaches without an encoder."""
    words, settings, data = read_words("finetune_runs"), snapshot.settings, snapshot.data
    if measure == "loss":
        if data.kind != "classes":
            return []
        return [Level(name=words.plain("level_even"), value=log(len(data.classes)))]
    found = cache_finetuning.levels(settings.data, settings.own_data, data.watched)
    return [
        Level(name=words.plain(_level_label(name, data.kind)), value=values[measure == "f1"])
        for name, values in found.items()
    ]


def _level_label(name: str, kind: str) -> str:
    return f"level_majority_{kind}" if name == "majority" else f"level_{name}"


def _source(shown: Sequence[Shown], measure: str, kind: str) -> str:
    words, data = read_words("finetune_runs"), shown[0].snapshot.data
    models = [run.snapshot.settings.model for run in shown]
    named = [
        words.plain("model_own") if name.startswith(own_models.PREFIX) else name
        for name in dict.fromkeys(models)
    ]
    what = words.label(f"source_{_of(measure, kind)}", n=len(getattr(data, data.watched)))
    dots = {words.label(f"source_{_name(run)}") for run in shown}
    return f"{words.label('source', model=', '.join(named), dots=', '.join(sorted(dots)))} {what}"


def _table(shown: Sequence[Shown]) -> Table:
    """Return every number of the curves: the tests, then the training loss."""
    tests = [
        {
            "run": run.title,
            "step": test.step,
            "loss": test.loss,
            "proportion_right": test.proportion_right,
            "f1": test.f1,
        }
        for run in shown
        for test in run.snapshot.tests
    ]
    training = [
        {"run": run.title, "step": point.step, "training_loss": point.loss}
        for run in shown
        for point in run.snapshot.losses
    ]
    return Table(tests + training)
