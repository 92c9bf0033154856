"""Which positions count: the loss if all places did, or only those that were not chosen."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_rows_svg
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import marks, setting
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

CHOICES = ("chosen", "all", "rest")


@part
def show(page: Page) -> None:
    """Show the loss at each place, and three means of it; the learner chooses who counts."""
    from mlm_core.prediction.masked_words import labels_of, losses_everywhere, mean_over

    words = page.words
    st.markdown(words.section("positions.lead"))
    now = setting.current(page)
    if now is None:
        return
    everyone = marks.may_be_chosen(now.text)
    chosen = set(now.kinds)
    counted = {"chosen": chosen, "all": set(everyone), "rest": set(everyone) - chosen}
    names = {name: words.label(f"count_{name}") for name in CHOICES}
    choice = inputs.choice(words.label("count"), names, key="prediction_and_loss_count")
    with st.container(horizontal=True):
        for name in CHOICES:
            mean = mean_over(now.losses, counted[name]) if counted[name] else None
            st.metric(names[name], "–" if mean is None else formatted(mean, ".2f"))
    labels = labels_of(now.text.ids, counted[choice])
    rows = [f"{now.seen.texts[i]}" for i in everyone]
    show_drawing(
        loss_rows_svg(
            rows,
            [(names[choice], [now.losses[i] for i in everyone])],
            counts=[i in counted[choice] for i in everyone],
            alt=words.plain("positions_alt", n=len(counted[choice]), of=len(everyone)),
        ),
        key="prediction_and_loss_positions",
        table=Table(
            {
                "position": range(len(labels)),
                "seen": now.seen.texts,
                "original": now.text.texts,
                "label": labels,
                "loss": now.losses,
            }
        ),
        source=words.label("positions_source", model=page.model_name),
    )
    shown = ", ".join(str(label) for label in labels[:30]) + ", …" * (len(labels) > 30)
    st.markdown(words.section("positions.labels"))
    st.code(f"labels = [{shown}]", language="python", wrap_lines=True)
    st.markdown(words.section("positions.notice"))
    show_source(labels_of, losses_everywhere, mean_over, key="prediction_and_loss_positions_code")
