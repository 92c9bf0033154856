"""Opening: one A with the sentence that followed it, and with one from elsewhere."""

from functools import partial
from typing import Any

import streamlit as st

from mlm_core.figures.bars import bars_svg
from pages.parts.sentence_pairs.setting import has_head, judge, show_pair
from pages.shared.kit.part import Part, part

FIELDS = ("first", "next", "random")


@part()
def show(p: Part) -> None:
    """Score both pairs and draw the two probabilities beside each other."""
    if not has_head(p):
        return
    texts = {}
    for name, column in zip(FIELDS, st.columns(3), strict=True):
        with column:
            texts[name] = p.text(f"opening_{name}")
    p_follows: dict[str, Any] = {}
    for name in ("next", "random"):
        judged = judge(p, texts["first"], texts[name])
        if judged is None:
            return
        text, steps = judged
        st.markdown(f"**{p.label(f'pair_{name}')}**")
        show_pair(p, text, f"chips_{name}")
        p_follows[name] = steps.p_follows
    st.markdown(f"**{p.label('p_next')}**")
    values = list(p_follows.values())
    p.figure(
        "opening",
        partial(bars_svg, [p.plain(f"bar_{name}") for name in p_follows], values, longest=1.0),
        {
            "pair": list(p_follows),
            "a": [texts["first"]] * len(p_follows),
            "b": [texts[name] for name in p_follows],
            "p_is_next": values,
        },
        source="source",
        **p_follows,
    )
    if p_follows["next"] <= p_follows["random"]:
        p.say("wrong_way")
    p.say("notice")
