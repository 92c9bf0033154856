"""How far a step goes: the learning rate's schedule, and AdamW's two moments for one weight."""

from math import sqrt
from typing import Any

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.small_runs.first_steps import FollowedRow
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.text.tokens import tokenize
from mlm_core.training.loop import (
    NonFiniteLossError,
    TrainingSettings,
    learning_rate_at,
    warmup_steps,
)
from pages.kit.part import Part, Table, Text, part
from pages.lessons.train_an_encoder import computed, runs

UPDATE = r"w_t = w_{t-1} - \eta\,\frac{m'}{\sqrt{v'}+\epsilon} - \eta\,\lambda\,w_{t-1}"
DRAWN_STEPS = 100  # points of the schedule
NO_WORD = "[MASK]"
# Rows of the figure's table: a term's label, its field of WeightUpdate.
TERMS = {
    "rate": "rate",
    "gradient": "gradient",
    "m": "first_moment",
    "v": "second_moment",
    "m_corrected": "first_corrected",
    "v_corrected": "second_corrected",
    "step": "step",
    "decay": "decay",
    "before": "before",
    "after": "after",
}


@part(code=("training.loop:learning_rate_at", "training.adamw:update_weight"))
def show(p: Part) -> None:
    """Draw a run's schedule and mark its step; follow one weight through its first steps."""
    p.say("lead")
    found = runs.choose_snapshot(p)
    if found is None:
        return
    title, snapshot = found
    _schedule(p, title, snapshot)
    _weight(p, title, snapshot)


def _weight(p: Part, title: str, snapshot: Snapshot) -> None:
    """Follow one weight through the run's first steps."""
    said, drawn = p.columns(2, 3, gap="large")
    with said:
        p.say("weight", run=title)
        p.formula(UPDATE)
        followed = p.choice("followed")
        row, name = (0, p.plain(f"followed_{followed}"))
        if followed == "token":
            row, name = _token(p, snapshot)
        entry = p.slider("entry", highest=snapshot.settings.hidden_size - 1)
    try:
        steps = computed.first_steps(snapshot.settings, followed, row)
    except NonFiniteLossError as error:
        p.refused(error)
        return
    with drawn:
        _draw_moments(p, steps, entry, run=title, name=name)
    _say_moments(p, steps, entry)


def _schedule(p: Part, title: str, snapshot: Snapshot) -> None:
    training = snapshot.settings.training()
    rates = {step: learning_rate_at(step - 1, training) for step in _drawn(training)}
    warm, step = warmup_steps(training), snapshot.step
    told: dict[str, Any] = {
        "warm": warm,
        "steps": training.n_steps,
        "peak": training.peak_learning_rate,
    }
    percent, last = training.warmup_proportion, rates[training.n_steps]
    said, drawn = p.columns(2, 3, gap="large")
    with said:
        p.say("schedule", percent=percent, last=last, **told)
    marks = [Level(name=p.plain("warm", n=warm), value=warm)]
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
    with drawn:
        p.figure("schedule", chart, table, source="of_run", run=title, step=step, **told)


def _drawn(training: TrainingSettings) -> list[int]:
    """Return the steps at which the schedule is drawn: its corners, and some between."""
    n_warm, n_steps = warmup_steps(training), training.n_steps
    between = range(1, n_steps, max(1, n_steps // DRAWN_STEPS))
    return sorted({1, *between, max(1, n_warm), min(n_warm + 1, n_steps), n_steps})


def _token(p: Part, snapshot: Snapshot) -> tuple[int, str]:
    """Show the field for a word; return the id and the text of its first subword."""
    tokenizer = snapshot.tokenizer
    assert tokenizer is not None
    typed = p.text("optimizer_word", NO_WORD)
    text = tokenize(tokenizer, typed, max_tokens=snapshot.settings.length)
    if len(text.tokens) < 3:  # [CLS] and [SEP] only
        text = tokenize(tokenizer, NO_WORD, max_tokens=snapshot.settings.length)
    token = text.tokens[1]
    return token.id, token.text


def _draw_moments(p: Part, steps: FollowedRow, entry: int, **origin: Any) -> None:
    """Draw the gradient and its two moments over the steps."""
    updates = steps.updates(entry)
    curves = {
        "gradient": [one.gradient for one in updates],
        "m_corrected": [one.first_corrected for one in updates],
        "root": [sqrt(one.second_corrected) for one in updates],
    }
    numbers = [one.number for one in updates]
    chart = lines_chart(
        [
            Curve(
                name=p.plain(f"term_of_{name}"),
                points=list(zip(numbers, values, strict=True)),
                pen=pen,
                dots=True,
            )
            for pen, (name, values) in enumerate(curves.items())
        ],
        x_title=p.plain("curve_steps"),
        y_title=p.plain("moments"),
        x_axis={"dtick": 1},
    )
    p.figure("moments", chart, _terms(p, steps, entry), entry=entry, **origin)


def _say_moments(p: Part, steps: FollowedRow, entry: int) -> None:
    """Say how far the weight moves."""
    updates = steps.updates(entry)
    ratios = [abs(one.step / one.rate) for one in updates]
    p.say("moved", first=ratios[0], last=ratios[-1], n=updates[-1].number)
    p.say("decayed" if steps.weight_decay else "spared")
    most = steps.settings.max_grad_norm
    clipped = sum(norm > most for norm in steps.gradient_norms)
    p.caption("clipping", most=most, n=clipped, of=len(updates))


def _terms(p: Part, steps: FollowedRow, entry: int) -> Table:
    """Return a row a term, a column a step, with what the run itself computed."""
    updates = steps.updates(entry)
    rows = {name: [getattr(one, field) for one in updates] for name, field in TERMS.items()}
    rows["run"] = [weights[entry] for weights in steps.weights[1:]]
    columns = ["term", *(Text(update.number) for update in updates)]
    return Table([[p.plain(f"term_of_{name}"), *row] for name, row in rows.items()], columns)
