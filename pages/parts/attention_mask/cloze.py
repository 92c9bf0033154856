"""The cloze task: one blank, guessed from the left alone and from both sides."""

from functools import partial

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.text.tokens import role_token, tokenize
from pages.shared.caches import cache, cache_predictions
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

N_GUESSES = 6


@part(code=("prediction.fillers:top_fillers",))
def show(p: Part) -> None:
    """Guess the same blank under both masks, side by side."""
    model = cache.model(p.model_name)
    p.say("lead")
    mask_token = role_token(model.tokenizer, "[MASK]")
    text = p.text("cloze").replace("[MASK]", mask_token)
    tokens = tokenize(model.tokenizer, text, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(tokens)
    blanks = [i for i, token in enumerate(tokens.texts) if token == mask_token]
    if not blanks:
        p.note("no_blank", icon="edit")
        return
    blank = blanks[0]
    if len(blanks) > 1:
        p.caption("many", n=len(blanks))
    masks = ("causal", "bidirectional") if model.bert else ("bidirectional",)
    guesses = {
        mask: cache_predictions.fillers(
            p.model_name, text, blank, N_GUESSES, causal=mask == "causal"
        )
        for mask in masks
    }
    longest = max(guess[0][1] for guess in guesses.values())
    for mask, column in zip(masks, st.columns(len(masks)), strict=True):
        with column:
            p.say(mask)
            guessed, probabilities = map(list, zip(*guesses[mask], strict=True))
            p.figure(
                f"cloze_{mask}",
                partial(bars_svg, guessed, probabilities, longest=longest),
                {"token": guessed, "probability": probabilities},
                alt="alt",
                source="source",
                mask=p.label(f"mask_{mask}"),
                blank=blank,
            )
    p.say("notice")
