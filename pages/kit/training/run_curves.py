"""What the curves of runs have in common, of pre-training and of fine-tuning: lines and words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from mlm_core.figures.curves import Curve
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.small_runs.snapshot import Snapshot
from pages.kit.part import Part

Points = list[tuple[float, float]]  # step, value

Taken = TypeVar("Taken", bound=Snapshot | FineTuneSnapshot)


@dataclass(frozen=True, kw_only=True)
class Shown(Generic[Taken]):
    """One run in a drawing."""

    title: str
    snapshot: Taken
    pen: int  # which colour and dash


def lines_of(
    p: Part,
    shown: Sequence[Shown],
    tests: Callable[[Shown], Points],
    training: Callable[[Shown], Points] | None,
    named: Callable[[Shown], str] = lambda _: "line_tests",
) -> list[Curve]:
    """Return each run's training loss as a faint line, if asked for, and its tests with dots."""
    lines = []
    for run in shown:
        if training is not None:
            name = p.plain("line_training", run=run.title)
            lines.append(Curve(name=name, points=training(run), pen=run.pen, faint=True))
        points = tests(run)
        if points:
            name = p.plain(named(run), run=run.title)
            lines.append(Curve(name=name, points=points, pen=run.pen, dots=True))
    return lines


def said_of_runs(p: Part, shown: Sequence[Shown], tests: Callable[[Shown], Points]) -> str:
    """Return in words each run's first and last test, as an alt text of curves has them."""
    said = []
    for run in shown:
        points = tests(run)
        if points:
            (a, first), (b, last) = points[0], points[-1]
            values = {"a": a, "first": first, "b": b, "last": last}
            said.append(p.plain("curve_alt_run", run=run.title, **values))
        else:
            said.append(p.plain("curve_alt_none", run=run.title))
    return "; ".join(said)
