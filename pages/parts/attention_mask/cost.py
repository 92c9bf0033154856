"""What attention costs: N x N counted, drawn as a square, and timed on this server."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.encoder.cost import SIZES, attention_cost, crossing, measure_attention
from mlm_core.figures.encoder.cost import growth_chart, square_svg
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import sentence
from pages.parts.attention_mask.timing import time_attention
from pages.shared.caches import cache
from pages.shared.figures.show import show_chart, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import BertConfig

# What is counted, and the fields and properties of AttentionCost that are drawn for it.
COUNTS = {
    "scores": {
        "cost_head": "scores_per_head",
        "cost_layer": "scores_per_layer",
        "cost_model": "scores_per_model",
    },
    "products": {"cost_quadratic": "quadratic_products", "cost_linear": "linear_products"},
    "bytes": {
        "cost_weights_bytes": "weights_bytes",
        "cost_parameter_bytes": "parameter_bytes",
    },
}


@part
def show(page: Page) -> None:
    """Count, draw and time what a longer text costs."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("cost.lead"))
    if model.bert is None:
        st.info(words.section("block.other_model", model=page.model_name), icon=":material/info:")
        return
    text = cache.encoding(page.model_name, sentence(page))[0]
    inputs.say_what_was_left_out(text)
    own, config = len(text.tokens), model.bert.config
    _lines(page, own, config)
    _square(page, own, config)
    st.markdown(words.section("cost.measure"))
    time_attention(page, config.head_size)
    st.markdown(words.section("cost.cache"))
    show_source(attention_cost, measure_attention, key="attention_mask_cost_code")


def _lines(page: Page, own: int, config: "BertConfig") -> None:
    words = page.words
    counts = {name: words.label(f"cost_count_{name}") for name in COUNTS}
    count = inputs.choice(words.label("cost_count"), counts, key="attention_mask_count")
    costs = [attention_cost(n_tokens, config) for n_tokens in SIZES]
    lines = {
        words.label(label): [getattr(cost, field) for cost in costs]
        for label, field in COUNTS[count].items()
    }
    marks = {words.label("cost_own", n=own): own}
    if config.n_positions != own:
        marks[words.label("cost_window", n=config.n_positions)] = config.n_positions
    show_chart(
        growth_chart(
            SIZES,
            lines,
            marks=marks,
            x_title=words.label("cost_x"),
            y_title=words.label(f"cost_y_{count}"),
        ),
        key="attention_mask_growth",
        alt=words.plain("cost_alt"),
        table=Table({"n_tokens": SIZES} | lines),
        source=words.label(
            "cost_source",
            model=page.model_name,
            layers=config.n_layers,
            heads=config.n_heads,
            hidden=config.hidden_size,
            inner=config.intermediate_size,
        ),
    )
    st.markdown(words.section(f"cost.notice_{count}", crossing=formatted(crossing(config), ",")))


def _square(page: Page, own: int, config: "BertConfig") -> None:
    words = page.words
    control, figure = st.columns(2, gap="large", vertical_alignment="center")
    with control:
        st.markdown(words.section("cost.square"))
        n_tokens = inputs.slider(
            words.label("cost_n"),
            SIZES[0],
            SIZES[-1],
            256,
            step=16,
            key="attention_mask_n",
        )
    cost = attention_cost(n_tokens, config)
    scores = formatted(cost.scores_per_head, ",")
    caption = words.plain("cost_square", n=n_tokens, scores=scores)
    with figure:
        show_drawing(
            square_svg(
                n_tokens,
                SIZES[-1],
                own=own,
                caption=caption,
                alt=words.plain("cost_square_alt", n=n_tokens, own=own),
            ),
            key="attention_mask_square",
            table=Table({"n_tokens": [own, n_tokens], "scores": [own**2, n_tokens**2]}),
            source=words.label("cost_square_source", own=own),
        )
