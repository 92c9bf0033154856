"""Which positions count in the loss, and how many tokens that leaves to learn from in a pass."""

from mlm_core.figures.charts import lines_chart, percent_axis
from mlm_core.figures.curves import Curve
from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from mlm_core.prediction.masked_words import (
    labels_of,
    mean_over,
    passes_for_as_many,
    proportion_scored,
)
from pages.kit.part import Part, Text, part
from pages.lessons.prediction_and_loss import marks
from pages.lessons.prediction_and_loss.setting import Setting, current

MOST_LABELS = 30  # that are written out
RATES = (5, 15, 40, 80)  # per cent
MOST_PASSES = 40
NEARLY_ALL = 0.95


@part(
    code=(
        "prediction.masked_words:labels_of",
        "prediction.masked_words:losses_everywhere",
        "prediction.masked_words:mean_over",
        "prediction.masked_words:proportion_scored",
    )
)
def show(p: Part) -> None:
    """Show the loss at each position and three means; then the passes that a rate needs."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    _show_losses(p, now)
    p.say("notice")
    with p.fold("passes", "repeat"):
        _show_passes(p, len(marks.may_be_chosen(now.text)), len(now.text.tokens))


def _show_losses(p: Part, now: Setting) -> None:
    """Draw the loss at each position; the learner chooses which ones count."""
    everyone, chosen = marks.may_be_chosen(now.text), set(now.kinds)
    counted = {"chosen": chosen, "all": set(everyone), "rest": set(everyone) - chosen}
    which = p.choice("count")
    with p.row("top"):
        for name, positions in counted.items():
            mean = formatted(mean_over(now.losses, positions), ".2f") if positions else "–"
            p.metric(f"count_{name}", mean)
    labels = labels_of(now.text.ids, counted[which])
    p.figure(
        "positions",
        loss_rows_chart(
            [now.seen.texts[i] for i in everyone],
            [(p.label(f"count_{which}"), [now.losses[i] for i in everyone])],
            counts=[i in counted[which] for i in everyone],
        ),
        {
            "position": range(len(labels)),
            "seen": now.seen.texts,
            "original": now.text.texts,
            "label": labels,
            "loss": now.losses,
        },
        n=len(counted[which]),
        of=len(everyone),
    )
    with p.fold("labels", "label"):
        p.say("kept")
        p.say("labels")
        shown = ", ".join(map(str, labels[:MOST_LABELS])) + ", …" * (len(labels) > MOST_LABELS)
        p.program(f"labels = [{shown}]", language="python", wrap_lines=True)


def _show_passes(p: Part, n_own: int, n_tokens: int) -> None:
    """Count what one pass teaches, and draw how many tokens were predicted after k passes."""
    rate = int(p.choice("rate", {str(rate): f"{rate} %" for rate in RATES}))
    n_chosen = min(n_own, max(1, round(rate / 100 * n_tokens)))
    p.say("signal", n=n_chosen, of=n_own, rate=rate, passes=passes_for_as_many(n_own, n_chosen))
    shares = {
        Text(f"{r} %"): [proportion_scored(r / 100, k) for k in range(MOST_PASSES + 1)]
        for r in RATES
    }
    chart = lines_chart(
        [
            Curve(name=name, points=list(enumerate(values)), pen=pen)
            for pen, (name, values) in enumerate(shares.items())
        ],
        x_title=p.plain("asked_x"),
        y_title=p.plain("asked_y"),
        y_axis=percent_axis(),
    )
    p.figure("asked", chart, {"passes": range(MOST_PASSES + 1)} | shares)
    passes = next(k for k in range(1000) if proportion_scored(rate / 100, k) >= NEARLY_ALL)
    p.say("rate", rate=rate, passes=passes)
