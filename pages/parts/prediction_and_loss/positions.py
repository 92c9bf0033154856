"""Which positions count: the loss if all did, or only those that were not chosen."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from mlm_core.prediction.masked_words import labels_of, mean_over
from pages.parts.prediction_and_loss import marks
from pages.parts.prediction_and_loss.setting import current
from pages.shared.kit.part import Part, part

MOST_LABELS = 30  # that are written out


@part(
    code=(
        "prediction.masked_words:labels_of",
        "prediction.masked_words:losses_everywhere",
        "prediction.masked_words:mean_over",
    )
)
def show(p: Part) -> None:
    """Show the loss at each position, and three means; the learner chooses which ones count."""
    p.say("lead")
    now = current(p)
    if now is None:
        return
    everyone, chosen = marks.may_be_chosen(now.text), set(now.kinds)
    counted = {"chosen": chosen, "all": set(everyone), "rest": set(everyone) - chosen}
    which = p.choice("count")
    with st.container(horizontal=True):
        for name, positions in counted.items():
            mean = formatted(mean_over(now.losses, positions), ".2f") if positions else "–"
            st.metric(p.label(f"count_{name}"), mean)
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
    p.say("labels")
    shown = ", ".join(map(str, labels[:MOST_LABELS])) + ", …" * (len(labels) > MOST_LABELS)
    st.code(f"labels = [{shown}]", language="python", wrap_lines=True)
    p.say("notice")
