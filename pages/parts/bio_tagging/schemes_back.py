"""Tags alone, and the spans that a scheme gives back from them."""

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.tagging.bio_tags import SCHEMES, Scheme, decode, encode
from pages.parts.bio_tagging.schemes_state import Marked
from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

BACK = "bio_tagging_back"


def show_back(page: Page, marked: Marked) -> None:
    """Read the tags of a chosen scheme, and draw the spans that come out."""
    words = page.words
    scheme: Scheme = inputs.choice(
        words.label("schemes_back"), {name: name for name in SCHEMES}, key=BACK
    )
    tags = encode(marked.spans, len(marked.words), scheme)
    back = decode(tags, scheme, "conlleval")
    values = {"scheme": scheme, "n": len(marked.spans), "m": len(back)}
    same = set(back) == set(marked.spans)
    show_drawing(
        entity_sentence(
            marked.words,
            back,
            alt=words.plain("back_alt", text=entity_text(marked.words, back), **values),
            types=marked.types,
        ),
        key="bio_tagging_back_drawing",
        table=Table({"word": marked.words, scheme: tags}),
        source=words.label("back_source", scheme=scheme),
    )
    st.markdown(words.section("schemes.back_same" if same else "schemes.back_other", **values))
