"""What attention costs: N x N counted, drawn as a square, and timed on this server."""

from functools import partial

import streamlit as st

from mlm_core.encoder.bert import BertConfig
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
    _show_growth(p, own, config)
    control, figure = st.columns(2, gap="large", vertical_alignment="center")
    with control:
        p.say("square")
        n = p.slider("n")
    caption = p.plain("square", n=n, scores=attention_cost(n, config).scores_per_head)
    with figure:
        square = partial(square_svg, n, SIZES[-1], own=own, caption=caption)
        p.figure("square", square, {"n_tokens": [own, n], "scores": [own**2, n**2]}, n=n, own=own)
    p.say("cache")
    with st.expander(
        p.label("timing"), icon=":material/timer:", expanded=MEASURED in st.session_state
    ):
        p.say("measure")
        _time_attention(p, config.head_size)


def _show_growth(p: Part, own: int, config: BertConfig) -> None:
    """Draw what a text costs by its length, past the point where the lines cross."""
    count = p.choice("count")
    cross = crossing(config)
    sizes = _sizes_up_to(max(SIZES[-1], config.n_positions, cross, own))
    costs = [attention_cost(n_tokens, config) for n_tokens in sizes]
    lines = {
        p.label(name): [getattr(cost, field) for cost in costs]
        for name, field in COUNTS[count].items()
    }
    marks = {p.label("own", n=own): own}
    if config.n_positions != own:
        marks[p.label("window", n=config.n_positions)] = config.n_positions
    if count == "products":
        marks[p.label("crossing", n=cross)] = cross
    titles = {"x_title": p.label("x"), "y_title": p.label(f"y_{count}")}
    chart = growth_chart(sizes, lines, marks=marks, **titles)
    p.figure("growth", chart, {"n_tokens": sizes} | lines, most=sizes[-1], **vars(config))
    p.say(f"notice_{count}", crossing=cross)


def _sizes_up_to(most: int) -> list[int]:
    """Return doubled text lengths, until one is `most` tokens or more."""
    sizes = [SIZES[0]]
    while sizes[-1] < most:
        sizes.append(2 * sizes[-1])
    return sizes


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
