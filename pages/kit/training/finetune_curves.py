"""The curves of fine-tunings in one drawing: loss, share right or F1 over the steps."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from math import log

from mlm_core.figures.curves import Level, curves_svg, nice_range
from mlm_core.finetuning.snapshot import FineTuneSnapshot, FineTuneTest
from pages.kit.part import Part
from pages.kit.training.run_curves import Points, Shown, lines_of, said_of_runs
from pages.server.caches import cache_finetuning, own_models

_VALUE: dict[str, Callable[[FineTuneTest], float]] = {
    "share": lambda test: test.proportion_right,
    "f1": lambda test: test.f1,
    "loss": lambda test: test.loss,
}


def show(p: Part, shown: Sequence[Shown], controls: AbstractContextManager) -> None:
    """Let the learner choose a measure among the `controls`, and draw it for all runs.

    All runs are of one kind of data; the first says which levels they are compared with.
    """
    snapshot, kind = shown[0].snapshot, shown[0].snapshot.data.kind
    names = {name: p.label(f"measure_{_of(name, kind)}") for name in _VALUE}
    with controls, p.popover("measure", "tune"):
        start = "f1" if kind == "tags" else "share"
        measure = p.choice("curves_measure", names, start=start)
    tests = partial(_points, measure=measure)
    lines = lines_of(p, shown, tests, _training if measure == "loss" else None, _name)
    levels = _levels(p, snapshot, measure)
    values = [value for line in lines for _, value in line.points]
    values += [level.value for level in levels]
    p.figure(
        "curves",
        partial(
            curves_svg,
            lines,
            last_step=max(run.snapshot.n_steps for run in shown),
            y_range=nice_range(values) if measure == "loss" else (0.0, 1.0),
            x_title=p.plain("curve_steps"),
            y_title=p.plain(f"axis_{measure}"),
            levels=levels,
        ),
        lambda: _rows(shown),
        alt="curve_alt",
        source="source",
        measure=p.plain(f"measure_{_of(measure, kind)}"),
        runs=said_of_runs(p, shown, tests),
        model=", ".join(dict.fromkeys(_model(p, run) for run in shown)),
        dots=", ".join(sorted({p.plain(f"source_{_name(run)}") for run in shown})),
        what=p.plain(
            f"source_{_of(measure, kind)}", n=len(getattr(snapshot.data, snapshot.data.watched))
        ),
    )


def _name(run: Shown) -> str:
    """Return the label of a run's dots, which says on which part they are measured."""
    return "line_dev" if run.snapshot.data.watched == "dev" else "line_tests"


def _of(measure: str, kind: str) -> str:
    """Return the name of a measure's words: shares and F1 differ with what is asked."""
    return measure if measure == "loss" else f"{measure}_{kind}"


def _model(p: Part, run: Shown) -> str:
    name = run.snapshot.settings.model
    return p.plain("model_own") if name.startswith(own_models.PREFIX) else name


def _training(run: Shown) -> Points:
    return [(point.step, point.loss) for point in run.snapshot.losses]


def _points(run: Shown, measure: str) -> Points:
    return [(test.step, _VALUE[measure](test)) for test in run.snapshot.tests]


def _levels(p: Part, snapshot: FineTuneSnapshot, measure: str) -> list[Level]:
    """Return what anyone reaches without an encoder."""
    settings, data = snapshot.settings, snapshot.data
    if measure == "loss":
        if data.kind != "classes":
            return []
        return [Level(name=p.plain("level_even"), value=log(len(data.classes)))]
    found = cache_finetuning.levels(settings.data, settings.own_data, data.watched)
    return [
        Level(name=p.plain(_level_label(name, data.kind)), value=values[measure == "f1"])
        for name, values in found.items()
    ]


def _level_label(name: str, kind: str) -> str:
    return f"level_majority_{kind}" if name == "majority" else f"level_{name}"


def _rows(shown: Sequence[Shown]) -> list[dict[str, object]]:
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
    return tests + training
