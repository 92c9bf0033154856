"""Opening: one A with the sentence that followed it, and with one from elsewhere."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.parts.sentence_pairs.setting import has_head, judge, show_pair
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

FIELDS = ("first", "next", "random")


@part
def show(page: Page) -> None:
    """Score both pairs and draw the two probabilities beside each other."""
    words = page.words
    if not has_head(page, key="opening"):
        return
    texts = {}
    for name, column in zip(FIELDS, st.columns(3), strict=True):
        with column:
            texts[name] = inputs.text(
                words.label(f"opening_{name}"),
                words.label(f"default_{name}"),
                key=f"sentence_pairs_opening_{name}",
            )
    judged = {}
    for name in ("next", "random"):
        result = judge(page, texts["first"], texts[name])
        if result is None:
            return
        st.markdown(f"**{words.label(f'opening_pair_{name}')}**")
        show_pair(page, result[0], key=f"sentence_pairs_chips_{name}")
        judged[name] = result[1].p_follows
    names = [words.plain(f"opening_bar_{name}") for name in judged]
    shown = {name: formatted(p, ".3f") for name, p in judged.items()}
    st.markdown(f"**{words.label('p_next')}**")
    show_drawing(
        bars_svg(
            names, list(judged.values()), longest=1.0, alt=words.plain("opening_alt", **shown)
        ),
        key="sentence_pairs_opening",
        table=Table(
            {
                "pair": list(judged),
                "a": [texts["first"]] * len(judged),
                "b": [texts[name] for name in judged],
                "p_is_next": list(judged.values()),
            }
        ),
        source=words.label("source", model=page.model_name),
    )
    if judged["next"] <= judged["random"]:
        st.markdown(words.section("opening.wrong_way"))
    st.markdown(words.section("opening.notice"))
