"""One token on its way through a block: how long its vector is after each step."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.encoder.block_steps import follow_token, run_block
from mlm_core.figures.encoder.block import length_chart
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import choose_layer
from pages.shared.caches import cache
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.text.tokens import TokenizedText


def show_lengths(page: Page, text: "TokenizedText", encoding: "Encoding") -> None:
    """Let the learner choose layer and token; draw the vector's length step by step."""
    import torch

    words, bert = page.words, cache.model(page.model_name).bert
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = choose_layer(page)
        position = inputs.position(
            words.label("block_token"),
            text.texts,
            key="attention_mask_query",
            default=min(2, len(text.tokens) - 1),
        )
    with torch.inference_mode():
        steps = follow_token(
            run_block(bert.blocks[layer - 1], encoding.states[layer - 1]), position
        )
    names = {step.name: words.label(f"block_step_{step.name}") for step in steps}
    show_chart(
        length_chart(steps, names, x_title=words.label("block_length_x")),
        key="attention_mask_lengths",
        alt=words.plain("block_length_alt"),
        table=Table(
            {
                "step": [step.name for step in steps],
                "numbers": [step.size for step in steps],
                "length": [step.length for step in steps],
                "mean": [step.mean for step in steps],
                "standard_deviation": [step.deviation for step in steps],
                "first_three": [
                    " ".join(formatted(number, ".4f") for number in step.first) for step in steps
                ],
            }
        ),
        source=words.label(
            "block_length_source",
            model=page.model_name,
            layer=layer,
            token=text.texts[position],
        ),
    )
    st.markdown(words.section("block.length_notice"))
