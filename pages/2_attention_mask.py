"""Lesson: who may look at whom? Causal, bidirectional, padding and hand-drawn masks."""

import pandas as pd
import streamlit as st

from mlm_core.figures.attention import flow_svg
from mlm_core.figures.chips import chip_row
from mlm_core.figures.matrix import matrix_svg
from pages.shared import cache, inputs, show
from pages.shared.clickable import drawing
from pages.shared.frame import lesson_page, part

with lesson_page("attention_mask") as page:

    @part
    def flow():
        t = inputs.text("Sentence", "The bank of the river was steep.", key="attention_mask_text")
        m = inputs.choice(
            "Mask", {"causal": "Causal", "both": "Bidirectional"}, key="attention_mask_kind"
        )
        toks, enc = cache.encoding(page.model_name, t, m == "causal")
        names = toks.texts
        q = inputs.position("Query", names, key="attention_mask_query", default=2)
        w = enc.weights[3][0, 0]
        steps = enc.attention[3]
        ok = (w[q] > 0).tolist()
        click = lambda v: inputs.choose("attention_mask_query", v)
        drawing(chip_row(toks.tokens, selected=q, clickable=True), key="c1", on_click=click)
        a, b = st.columns(2)
        with a:
            show.show_drawing(
                flow_svg(
                    names, q, ok, w[q].tolist(), headings=("looks", "is looked at"), alt="flow"
                ),
                key="flow",
                table=pd.DataFrame({"token": names, "w": w[q].tolist()}),
                source="mini-bert, layer 4, head 1",
                on_click=click,
            )
        with b:
            blocked = (
                (~steps.may_attend)
                .reshape(-1, *steps.may_attend.shape[-2:])[0]
                .expand(len(names), -1)
                .tolist()
                if steps.may_attend is not None
                else None
            )
            show.show_drawing(
                matrix_svg(
                    w.tolist(),
                    names,
                    names,
                    blocked=blocked,
                    selected_row=q,
                    clickable="rows",
                    alt="m",
                ),
                key="mat",
                table=pd.DataFrame({"token": names}),
                source="x",
                on_click=click,
            )

    flow()
