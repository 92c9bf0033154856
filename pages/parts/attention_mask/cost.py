"""What attention costs: N x N counted, drawn as a square, and timed on this server."""

from functools import partial

import streamlit as st

from mlm_core.encoder.cost import SIZES, attention_cost, crossing
from mlm_core.figures.encoder.cost import growth_chart, square_svg
from pages.parts.attention_mask.setting import sentence
from pages.parts.attention_mask.timing import time_attention
from pages.shared.caches import cache
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

# What is counted, and the fields and properties of AttentionCost that are drawn for it.
COUNTS = {
    "scores": {"head": "scores_per_head", "layer": "scores_per_layer", "model": "scores_per_model"},
    "products": {"quadratic": "quadratic_products", "linear": "linear_products"},
    "bytes": {"weights_bytes": "weights_bytes", "parameter_bytes": "parameter_bytes"},
}


@part(code=("encoder.cost:attention_cost", "encoder.cost:measure_attention"))
def show(p: Part) -> None:
    """Count, draw and time what a longer text costs."""
    model = cache.model(p.model_name)
    p.say("lead")
    if model.bert is None:
        p.note("block.other_model", model=p.model_name)
        return
    text = cache.encoding(p.model_name, sentence(p.page))[0]
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
    time_attention(p.page, config.head_size)
    p.say("cache")
