"""What attention costs: N x N counted, drawn as a square, and timed on this server."""

from functools import partial

import streamlit as st

from mlm_core.encoder.cost import SIZES, Measurement, attention_cost, crossing, measure_attention
from mlm_core.figures.encoder.cost import growth_chart, square_svg, timing_chart
from pages.shared.caches import cache
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

# What is counted, and the fields and properties of AttentionCost that are drawn for it.
COUNTS = {
    "scores": {"head": "scores_per_head", "layer": "scores_per_layer", "model": "scores_per_model"},
    "products": {"quadratic": "quadratic_products", "linear": "linear_products"},
    "bytes": {"weights_bytes": "weights_bytes", "parameter_bytes": "parameter_bytes"},
}
MEASURED = "attention_mask_measured"  # session state: size of a head and what was measured
SEED = 0  # of the random vectors; how long they take does not depend on them


@part(code=("encoder.cost:attention_cost", "encoder.cost:measure_attention"))
def show(p: Part) -> None:
    """Count, draw and time what a longer text costs."""
    model = cache.model(p.model_name)
    p.say("lead")
    if model.bert is None:
        p.note("other_model", model=p.model_name)
        return
    text = cache.encoding(p.model_name, p.text("text"))[0]
    inputs.say_what_was_left_out(text)
    own, config = len(text.tokens), model.bert.config
    count = p.choice("count")
    costs = [attention_cost(n_tokens, config) for n_tokens in SIZES]
    lines = {
        p.label(name): [getattr(cost, field) for cost in costs]
        for name, field in COUNTS[count].items()
    }
    marks = {p.label("own", n=own): own}
    if config.n_positions != own:
        marks[p.label("window", n=config.n_positions)] = config.n_positions
    titles = {"x_title": p.label("x"), "y_title": p.label(f"y_{count}")}
    chart = growth_chart(SIZES, lines, marks=marks, **titles)
    p.figure("growth", chart, {"n_tokens": SIZES} | lines, **vars(config))
    p.say(f"notice_{count}", crossing=crossing(config))
    control, figure = st.columns(2, gap="large", vertical_alignment="center")
    with control:
        p.say("square")
        n = p.slider("n")
    caption = p.plain("square", n=n, scores=attention_cost(n, config).scores_per_head)
    with figure:
        square = partial(square_svg, n, SIZES[-1], own=own, caption=caption)
        p.figure("square", square, {"n_tokens": [own, n], "scores": [own**2, n**2]}, n=n, own=own)
    p.say("measure")
    _time_attention(p, config.head_size)
    p.say("cache")


def _time_attention(p: Part, head_size: int) -> None:
    """Time attend() when asked, and show what was measured beside the line N²."""
    if st.button(p.label("measure"), icon=":material/timer:", key=p.key("measure")):
        lock = cache.measuring_lock()
        if lock.acquire(blocking=False):
            try:
                st.session_state[MEASURED] = head_size, _measure(p, head_size)
            finally:
                lock.release()
        else:
            p.note("busy", icon="hourglass_top")
    if MEASURED not in st.session_state:
        return
    head_size, measured = st.session_state[MEASURED]
    names = (p.label("measured"), p.label("squared"))
    table = {
        "n_tokens": [measurement.n_tokens for measurement in measured],
        "seconds": [measurement.seconds for measurement in measured],
        "repetitions": [measurement.n_repetitions for measurement in measured],
    }
    p.figure(
        "timing",
        timing_chart(measured, names=names, x_title=p.label("x"), y_title=p.label("y_time")),
        table,
        head_size=head_size,
        fewest=min(table["repetitions"]),
    )
    p.say("notice_time")


def _measure(p: Part, head_size: int) -> list[Measurement]:
    """Return all measurements, with a bar that tells how far they are."""
    import torch

    generator = torch.Generator().manual_seed(SEED)
    measurements = measure_attention(head_size=head_size, generator=generator)
    sizes = p.progress("measuring", SIZES)
    return [measurement for _, measurement in zip(sizes, measurements, strict=True)]
