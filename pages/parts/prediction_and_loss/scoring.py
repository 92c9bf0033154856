"""Every token of a text hidden in turn, a few at a time, with a bar that says how far it is."""

import time
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.caches import cache_predictions
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.prediction.fillers import PositionScore
    from mlm_core.text.tokens import TokenizedText

AT_ONCE = 16
PATIENCE_SECONDS = 0.5  # before the bar shows: most texts are done by then


def score_text(
    page: Page, text: "TokenizedText", *, causal: bool = False, hide_rest_of_word: bool = False
) -> "list[PositionScore]":
    """Return log P of each of the text's own tokens, in order."""
    from mlm_core.prediction.fillers import positions_to_score

    positions, scores, bar = positions_to_score(text), [], None
    start = time.monotonic()
    for first in range(0, len(positions), AT_ONCE):
        if bar is None and first and time.monotonic() - start > PATIENCE_SECONDS:
            bar = st.empty()
        if bar is not None:
            share = first / len(positions)
            bar.progress(share, page.words.label("scoring", done=first, of=len(positions)))
        scores += cache_predictions.place_scores(
            page.model_name,
            text.text,
            positions[first : first + AT_ONCE],
            causal,
            hide_rest_of_word,
        )
    if bar is not None:
        bar.empty()
    return scores
