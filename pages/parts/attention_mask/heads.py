"""Every layer and head of the model at once, on the learner's sentence."""

import pandas as pd
import streamlit as st

from mlm_core.figures.attention import heads_chart
from pages.parts.attention_mask.setting import sentence
from pages.shared import cache, inputs
from pages.shared.frame import Page, part
from pages.shared.show import show_chart
from pages.shared.source import show_source


@part
def show(page: Page) -> None:
    """Draw all heads' weights side by side, under either mask."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("heads.lead"))
    text = sentence(page)
    masks = ("bidirectional", "causal") if model.bert else ("bidirectional",)
    mask = inputs.choice(
        words.label("mask"),
        {name: words.label(f"mask_{name}") for name in masks},
        key="attention_mask_kind",
    )
    tokens, encoding = cache.encoding(page.model_name, text, mask == "causal")
    inputs.say_what_was_left_out(tokens)
    names = tokens.texts
    weights = [layer[0].tolist() for layer in encoding.weights]
    show_chart(
        heads_chart(weights, names, layer_word=words.label("layer"), head_word=words.label("head")),
        key="attention_mask_heads",
        alt=words.label("heads_alt", layers=len(weights), heads=len(weights[0])),
        table=pd.DataFrame(
            [
                {"layer": i + 1, "head": k + 1, "query": row, "key": column, "weight": value}
                for i, layer in enumerate(weights)
                for k, head in enumerate(layer)
                for row, numbers in enumerate(head)
                for column, value in enumerate(numbers)
            ]
        ),
        source=words.label("heads_source", model=page.model_name, mask=words.label(f"mask_{mask}")),
    )
    st.markdown(words.section("heads.notice"))
    show_source(heads_chart, key="attention_mask_heads_code")
