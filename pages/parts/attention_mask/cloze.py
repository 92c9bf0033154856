"""The cloze task: one blank, guessed from the left alone and from both sides."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.prediction.fillers import top_fillers
from mlm_core.text.tokens import role_token, tokenize
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 6


@part
def show(page: Page) -> None:
    """Guess the same blank under both masks, side by side."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("cloze.lead"))
    typed = inputs.text(
        words.label("cloze_sentence"), words.label("cloze_default"), key="attention_mask_cloze"
    )
    mask_token = role_token(model.tokenizer, "[MASK]")
    text = typed.replace("[MASK]", mask_token)
    tokens = tokenize(model.tokenizer, text, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(tokens)
    blanks = [i for i, token in enumerate(tokens.texts) if token == mask_token]
    if not blanks:
        st.info(words.section("cloze.no_blank"), icon=":material/edit:")
        return
    blank = blanks[0]
    if len(blanks) > 1:
        st.caption(words.section("cloze.many", n=len(blanks)))
    masks = ("causal", "bidirectional") if model.bert else ("bidirectional",)
    guesses = {
        mask: cache_predictions.fillers(
            page.model_name, text, blank, N_GUESSES, causal=mask == "causal"
        )
        for mask in masks
    }
    longest = max(guess[0][1] for guess in guesses.values())
    for mask, column in zip(masks, st.columns(len(masks)), strict=True):
        name = words.label(f"mask_{mask}")
        with column:
            st.markdown(words.section(f"cloze.{mask}"))
            tokens_guessed = [token for token, _ in guesses[mask]]
            probabilities = [probability for _, probability in guesses[mask]]
            show_drawing(
                bars_svg(
                    tokens_guessed,
                    probabilities,
                    longest=longest,
                    alt=words.plain("cloze_alt", mask=name),
                ),
                key=f"attention_mask_cloze_{mask}",
                table=Table({"token": tokens_guessed, "probability": probabilities}),
                source=words.label("cloze_source", model=page.model_name, mask=name, blank=blank),
            )
    st.markdown(words.section("cloze.notice"))
    show_source(top_fillers, key="attention_mask_cloze_code")
