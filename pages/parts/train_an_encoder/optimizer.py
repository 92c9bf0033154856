"""How far a step goes: the learning rate's schedule, and AdamW's terms for one weight."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.theme import significant, tex
from mlm_core.number_format import as_tex, in_formula
from pages.parts.train_an_encoder import runs
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.course.words import Text, as_text
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part

if TYPE_CHECKING:
    from mlm_core.small_runs.first_steps import FollowedRow
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.training.adamw import WeightUpdate
    from mlm_core.training.loop import TrainingSettings

DRAWN_STEPS = 100  # points of the schedule
NO_WORD = "[MASK]"
WEIGHT_DIGITS = 7  # what a float32 knows: a step changes the last ones
# Rows of the table of all steps: a term's label, its field of WeightUpdate.
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
    from mlm_core.training.loop import NonFiniteLossError

    p.say("lead")
    found = runs.choose_snapshot(p)
    if found is None:
        return
    title, snapshot = found
    _schedule(p, title, snapshot)
    st.divider()
    p.say("weight", run=title)
    followed = p.choice("followed")
    row, name = (0, p.plain(f"followed_{followed}"))
    if followed == "token":
        row, name = _token(p, snapshot)
    entry = p.slider("entry", highest=snapshot.settings.hidden_size - 1)
    try:
        steps = cache_training.first_steps(snapshot.settings, followed, row)
    except NonFiniteLossError as error:
        st.error(as_text(translated(str(error))), icon=":material/error:")
        return
    _one_step(p, steps, steps.updates(entry))
    _all_steps(p, steps, entry, run=title, name=name)


def _schedule(p: Part, title: str, snapshot: "Snapshot") -> None:
    from mlm_core.training.loop import learning_rate_at, warmup_steps

    training = snapshot.settings.training()
    rates = {step: learning_rate_at(step - 1, training) for step in _drawn(training)}
    warm, step = warmup_steps(training), snapshot.step
    told: dict[str, Any] = {
        "warm": warm,
        "steps": training.n_steps,
        "peak": training.peak_learning_rate,
    }
    percent, last = training.warmup_proportion, rates[training.n_steps]
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
    p.figure("schedule", chart, table, source="of_run", run=title, step=step, **told)
    if step:
        p.say("now", step=step, rate=learning_rate_at(step - 1, training))


def _drawn(training: "TrainingSettings") -> list[int]:
    """Return the steps at which the schedule is drawn: its corners, and some between."""
    from mlm_core.training.loop import warmup_steps

    n_warm, n_steps = warmup_steps(training), training.n_steps
    between = range(1, n_steps, max(1, n_steps // DRAWN_STEPS))
    return sorted({1, *between, max(1, n_warm), min(n_warm + 1, n_steps), n_steps})


def _token(p: Part, snapshot: "Snapshot") -> tuple[int, str]:
    """Show the field for a word; return the id and the text of its first subword."""
    from mlm_core.text.tokens import tokenize

    tokenizer = snapshot.tokenizer
    assert tokenizer is not None
    typed = p.text("optimizer_word", NO_WORD)
    text = tokenize(tokenizer, typed, max_tokens=snapshot.settings.length)
    if len(text.tokens) < 3:  # [CLS] and [SEP] only
        text = tokenize(tokenizer, NO_WORD, max_tokens=snapshot.settings.length)
    token = text.tokens[1]
    return token.id, token.text


def _one_step(p: Part, steps: "FollowedRow", updates: "tuple[WeightUpdate, ...]") -> None:
    """Write out the step that the learner chooses."""
    number = int(p.choice("adamw_step", [str(update.number) for update in updates]))
    update = updates[number - 1]
    before = updates[number - 2] if number > 1 else None
    norm, most = steps.gradient_norms[number - 1], steps.settings.max_grad_norm
    factor = min(1.0, most / norm) if norm else 1.0
    clipping = "clipped" if norm > most else "not_clipped"
    p.say(clipping, step=number, norm=norm, most=most, factor=factor)
    for formula in _formulas(update, before, steps):
        st.latex(formula)
    ratio = abs(update.step) / update.rate
    p.say("moved", step=number, gradient=update.gradient, ratio=ratio)
    p.say("decayed" if steps.weight_decay else "spared")


def _formulas(
    update: "WeightUpdate", before: "WeightUpdate | None", steps: "FollowedRow"
) -> list[str]:
    """Return each term of a step in LaTeX, with its numbers."""
    t = update.number
    (b1, b2), epsilon = steps.settings.betas, steps.settings.epsilon
    m, v = (0.0, 0.0) if before is None else (before.first_moment, before.second_moment)
    g, rate, decay = tex(update.gradient), tex(update.rate), _plain(steps.weight_decay)
    first, second = _plain(b1), _plain(b2)
    rest, other = _plain(round(1 - b1, 6)), _plain(round(1 - b2, 6))
    first_m, second_m = tex(update.first_moment), tex(update.second_moment)
    m_now, v_now = tex(update.first_corrected), tex(update.second_corrected)
    after = as_tex(significant(update.after, WEIGHT_DIGITS))
    return [
        _lines(
            r"m_t &= \beta_1 m_{t-1} + (1-\beta_1)\,g",
            rf"&= {first} \cdot {_signed(m)} + {rest} \cdot {_signed(update.gradient)}",
            rf"&= {first_m}",
        ),
        _lines(
            r"v_t &= \beta_2 v_{t-1} + (1-\beta_2)\,g^2",
            rf"&= {second} \cdot {tex(v)} + {other} \cdot ({g})^2",
            rf"&= {second_m}",
        ),
        rf"m' = \frac{{m_t}}{{1-\beta_1^t}} = \frac{{{first_m}}}{{1-{first}^{t}}} = {m_now}",
        rf"v' = \frac{{v_t}}{{1-\beta_2^t}} = \frac{{{second_m}}}{{1-{second}^{t}}} = {v_now}",
        _lines(
            r"s &= \eta\,\frac{m'}{\sqrt{v'}+\epsilon}",
            rf"&= {rate} \cdot \frac{{{m_now}}}{{\sqrt{{{v_now}}} + {tex(epsilon)}}}",
            rf"&= {tex(update.step)}",
        ),
        _lines(
            rf"\eta\,\lambda\,w_{{t-1}} &= {rate} \cdot {decay} \cdot {_signed(update.before)}",
            rf"&= {tex(update.decay)}",
        ),
        _lines(r"w_t &= w_{t-1} - \eta\lambda w_{t-1} - s", rf"&= {after}"),
    ]


def _lines(*lines: str) -> str:
    """Return one formula over several lines, none wider than a phone."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def _plain(value: float) -> str:
    """Return a setting in LaTeX as it was set."""
    return in_formula(value, "g")


def _signed(value: float) -> str:
    """Return a number behind a sign of arithmetic: a negative one in brackets."""
    return f"({tex(value)})" if value < 0 else tex(value)


def _all_steps(p: Part, steps: "FollowedRow", entry: int, **origin: str) -> None:
    """Show a row a term, a column a step, and compare with what the run itself computed."""
    updates, own = steps.updates(entry), [weights[entry] for weights in steps.weights[1:]]
    rows = {name: [getattr(one, field) for one in updates] for name, field in TERMS.items()}
    rows["run"] = own
    columns = ["term", *(Text(update.number) for update in updates)]
    digits = dict.fromkeys(("before", "after", "run"), WEIGHT_DIGITS)
    short, full = [], []
    for name, row in rows.items():
        term = p.plain(f"term_of_{name}")
        short.append([term, *(significant(value, digits.get(name, 3)) for value in row)])
        full.append([term, *row])
    Table(short, columns).show()
    p.numbers("adamw", Table(full, columns), entry=entry, **origin)
    largest = max(abs(one.after - weight) for one, weight in zip(updates, own, strict=True))
    p.say("agrees", n=len(updates), largest=largest)
    p.say("notice")
