"""What the pieces' labels say when they are read as tags: as many names as were marked, or more."""

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.tagging.alignment import Labelling
from mlm_core.tagging.bio_tags import Scheme, decode
from pages.parts.bio_tagging.schemes_state import Marked
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table


def show_back(
    page: Page,
    marked: Marked,
    texts: list[str],
    word_of_subword: tuple[int | None, ...],
    labels: tuple[str | None, ...],
    scheme: Scheme,
    rule: Labelling,
) -> None:
    """Draw the spans that the labels stand for, over the pieces that have one."""
    words = page.words
    counted = [i for i, tag in enumerate(labels) if tag is not None]
    tags = [labels[i] for i in counted]
    pieces = [texts[i] for i in counted]
    rule_name = words.plain(f"pieces_{rule}")
    back = decode(tags, scheme, "conlleval")
    st.markdown(words.section("pieces.back"))
    show_drawing(
        entity_sentence(
            pieces,
            back,
            alt=words.plain("pieces_back_alt", text=entity_text(pieces, back)),
            types=marked.types,
        ),
        key="bio_tagging_pieces_back",
        table=Table({"piece": pieces, "label": tags}),
        source=words.label("pieces_back_source", scheme=scheme, rule=rule_name),
    )
    there = max((word for word in word_of_subword if word is not None), default=-1) + 1
    inside = [span for span in marked.spans if span.start < there]
    of_words = [
        (word_of_subword[counted[s.start]], word_of_subword[counted[s.end - 1]] + 1, s.type)
        for s in back
    ]
    same = of_words == [(s.start, min(s.end, there), s.type) for s in inside]
    values = {"n": len(inside), "m": len(back), "scheme": scheme, "rule": rule_name}
    if same:
        st.markdown(words.section("pieces.back_same", **values))
    elif len(back) < len(inside):
        st.markdown(words.section("pieces.back_fewer", **values))
    else:
        st.markdown(words.section("pieces.back_more", **values))
