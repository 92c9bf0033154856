"""How often two blanks disagree: counted live on a few sentences of our own."""

import time

import streamlit as st

from mlm_core.text.tokens import role_token
from pages.parts.prediction_and_loss import setting
from pages.parts.prediction_and_loss.scoring import PATIENCE_SECONDS
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

COUNT = "prediction_and_loss_count_ours"


def count_disagreements(page: Page) -> None:
    """Fill both blanks of each sentence at once and from left to right; say how often they part."""
    words, tokenizer = page.words, cache.model_tokenizer(page.model_name)
    st.button(
        words.label("count_ours"),
        on_click=st.session_state.update,
        args=({COUNT: True},),
        icon=":material/calculate:",
        key=f"{COUNT}_start",
    )
    # Seventy passes: not for everyone who only comes by.
    if not st.session_state.get(COUNT):
        return
    sentences = words.section("blanks.sentences").splitlines()
    rows, bar, start = [], None, time.monotonic()
    for number, sentence in enumerate(sentences):
        if bar is None and time.monotonic() - start > PATIENCE_SECONDS:
            bar = st.empty()
        if bar is not None:
            label = words.label("counting", done=number, of=len(sentences))
            bar.progress(number / len(sentences), label)
        text = sentence.replace("[MASK]", role_token(tokenizer, "[MASK]"))
        at_once = cache_predictions.filled(page.model_name, text, None)
        in_turn = cache_predictions.filled(page.model_name, text, "left_to_right")
        rows.append(
            {
                "sentence": sentence,
                "at once": _written(page, at_once),
                "one after another": _written(page, in_turn),
                "differ": [s.chosen.id for s in at_once] != [s.chosen.id for s in in_turn],
            }
        )
    if bar is not None:
        bar.empty()
    n_differ = sum(row["differ"] for row in rows)
    st.markdown(words.section("blanks.count", n=n_differ, of=len(rows), model=page.model_name))
    with st.expander(words.label("count_table"), icon=":material/table_rows:"):
        Table(rows).show()


def _written(page: Page, steps: tuple) -> str:
    return " … ".join(setting.token_name(page, step.chosen.id) for step in steps)
