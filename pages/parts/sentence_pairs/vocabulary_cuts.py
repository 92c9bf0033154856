"""One sentence cut by two vocabularies: that of the chosen alpha, and that of alpha 1."""

import streamlit as st

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.tokens import tokenize
from pages.shared import cache, inputs
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table


def show_cuts(page: Page, setting: tuple[str, int, str, int], alpha: float) -> None:
    """Cut the learner's sentence with the vocabulary of alpha and with that of alpha 1."""
    words, (algorithm, size, counted, number) = page.words, setting
    sentence = inputs.text(
        words.label("sampling_sentence"),
        words.label("sampling_default"),
        key="sentence_pairs_sentence",
    )
    if not sentence.strip():
        st.info(words.section("languages.empty"), icon=":material/edit:")
        return
    cuts = [
        (
            words.plain("sampling_row", alpha=formatted(each, ".2f")),
            tokenize(cache.mixed_vocabulary(algorithm, size, each, counted, number)[0], sentence),
        )
        for each in (alpha, 1.0)
    ]
    show_drawing(
        cuts_html(sentence, cuts, alt=words.plain("sampling_alt")),
        key="sentence_pairs_cuts",
        table=Table(
            [
                {"vocabulary": name, "token": token.text, "id": token.id}
                for name, cut in cuts
                for token in cut.tokens
            ]
        ),
        source=words.label(
            "sampling_source", algorithm=algorithm, size=formatted(size, ","), seed=number
        ),
    )
