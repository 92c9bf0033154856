"""How far a step goes: the learning rate's schedule, and AdamW's step for two kinds of gradient."""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.training.adamw import update_weight
from mlm_core.training.loop import TrainingSettings, learning_rate_at, warmup_steps
from pages.kit.part import Part, part
from pages.lessons.train_an_encoder import runs

UPDATE = r"w_t = w_{t-1} - \eta\,\frac{m'}{\sqrt{v'}+\epsilon} - \eta\,\lambda\,w_{t-1}"
DRAWN_STEPS = 100  # points of the schedule
N_STEPS = 20  # after which the two moments have nearly forgotten that they began at 0


@part(code=("training.loop:learning_rate_at", "training.adamw:update_weight"))
def show(p: Part) -> None:
    """Draw a run's schedule and mark its step; say how far AdamW moves a weight."""
    p.say("lead")
    found = runs.choose_snapshot(p)
    if found is None:
        return
    title, snapshot = found
    training = snapshot.settings.training()
    said, drawn = p.columns(2, 3, gap="large")
    told: dict[str, Any] = {
        "warm": warmup_steps(training),
        "steps": training.n_steps,
        "peak": training.peak_learning_rate,
    }
    rates = {step: learning_rate_at(step - 1, training) for step in _drawn(training)}
    with said:
        percent, last = training.warmup_proportion, rates[training.n_steps]
        p.say("schedule", percent=percent, last=last, **told)
        p.say("weight")
        p.formula(UPDATE)
    with drawn:
        _draw_schedule(p, title, snapshot, rates, told)
    steady, turning = (_rates_a_step(signs, training) for signs in ((1,), (1, -1)))
    p.say("moved", n=N_STEPS, steady=steady, turning=turning)
    p.say("decay")
    p.caption("clipping", most=training.max_grad_norm)


def _draw_schedule(
    p: Part, title: str, snapshot: Snapshot, rates: dict[int, float], told: dict[str, Any]
) -> None:
    step, marks = snapshot.step, [Level(name=p.plain("warm", n=told["warm"]), value=told["warm"])]
    if step:
        marks.append(Level(name=p.plain("now", n=step), value=step))
    chart = lines_chart(
        [Curve(name=p.plain("rate"), points=list(rates.items()), pen=0)],
        x_title=p.plain("curve_steps"),
        y_title=p.plain("rate"),
        marks=marks,
        y_axis={"rangemode": "tozero"},
    )
    table = {"step": list(rates), "rate": list(rates.values())}
    p.figure("schedule", chart, table, source="of_run", run=title, step=step, **told)


def _drawn(training: TrainingSettings) -> list[int]:
    """Return the steps at which the schedule is drawn: its corners, and some between."""
    n_warm, n_steps = warmup_steps(training), training.n_steps
    between = range(1, n_steps, max(1, n_steps // DRAWN_STEPS))
    return sorted({1, *between, max(1, n_warm), min(n_warm + 1, n_steps), n_steps})


def _rates_a_step(signs: Sequence[int], training: TrainingSettings) -> float:
    """Return the last step's length, in learning rates, for a gradient whose signs come again."""
    update = None
    for gradient in islice(cycle(signs), N_STEPS):
        update = update_weight(
            0.0 if update is None else update.after,
            gradient,
            update,
            rate=1.0,
            betas=training.betas,
            epsilon=training.epsilon,
            weight_decay=0.0,
        )
    assert update is not None  # N_STEPS is not 0
    return abs(update.step)
