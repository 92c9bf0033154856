"""Attention against the clock of the server, one visitor at a time."""

import streamlit as st

from mlm_core.encoder import cost
from mlm_core.figures.encoder.cost import timing_chart
from pages.shared.caches import cache
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

MEASURED = "attention_mask_measured"
SEED = 0  # of the random vectors; how long they take does not depend on them


def time_attention(page: Page, head_size: int) -> None:
    """Time attend() when asked, and show what was measured beside the line N²."""
    words = page.words
    if st.button(
        words.label("cost_measure"), icon=":material/timer:", key="attention_mask_measure"
    ):
        lock = cache.measuring_lock()
        if lock.acquire(blocking=False):
            try:
                st.session_state[MEASURED] = head_size, _measure(page, head_size)
            finally:
                lock.release()
        else:
            st.info(words.section("cost.busy"), icon=":material/hourglass_top:")
    if MEASURED not in st.session_state:
        return
    head_size, measured = st.session_state[MEASURED]
    runs = [measurement.n_repetitions for measurement in measured]
    show_chart(
        timing_chart(
            measured,
            names=(words.label("cost_measured"), words.label("cost_squared")),
            x_title=words.label("cost_x"),
            y_title=words.label("cost_y_time"),
        ),
        key="attention_mask_timing",
        alt=words.plain("cost_time_alt"),
        table=Table(
            {
                "n_tokens": [measurement.n_tokens for measurement in measured],
                "seconds": [measurement.seconds for measurement in measured],
                "repetitions": runs,
            }
        ),
        source=words.label("cost_time_source", head_size=head_size, fewest=min(runs)),
    )
    st.markdown(words.section("cost.notice_time"))


def _measure(page: Page, head_size: int) -> list[cost.Measurement]:
    """Return all measurements, with a bar that tells how far they are."""
    import torch

    label, measured = page.words.label, []
    bar = st.progress(0.0, label("cost_measuring", n=cost.SIZES[0]))
    generator = torch.Generator().manual_seed(SEED)
    for measurement in cost.measure_attention(head_size=head_size, generator=generator):
        measured.append(measurement)
        bar.progress(
            len(measured) / len(cost.SIZES), label("cost_measuring", n=measurement.n_tokens)
        )
    bar.empty()
    return measured
