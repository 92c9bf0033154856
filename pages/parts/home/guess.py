"""The whole subject in one figure: hide a word, and see what the model would write there."""

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.text.tokens import tokenize
from pages.shared.caches import cache, cache_predictions
from pages.shared.course.words import Words
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.parts import part
from pages.shared.link import inputs

N_GUESSES = 5
# Enough for one sentence in any window; the lessons say more about longer texts.
MOST_TOKENS = 64


@part
def show(words: Words) -> None:
    """Let the visitor hide a word of a sentence, and draw the bundled model's guesses."""
    text = inputs.text(words.label("sentence"), words.label("default_sentence"), key="home_text")
    tokens = tokenize(cache.bundled_tokenizer(), text, max_tokens=MOST_TOKENS)
    inputs.say_what_was_left_out(tokens)
    if "[MASK]" not in tokens.texts:
        st.info(words.section("no_blank"), icon=":material/edit:")
        return
    drawing(chip_row(tokens.tokens, label=tokens.text), key="home_chips")
    blank = tokens.texts.index("[MASK]")
    guesses = cache_predictions.fillers(BUNDLED, text, blank, N_GUESSES)
    names, probabilities = zip(*guesses, strict=True)
    show_drawing(
        bars_svg(names, probabilities, longest=max(probabilities), alt=words.plain("guesses_alt")),
        key="home_guesses",
        table=Table({"token": names, "probability": probabilities}),
        source=words.label("source", model=BUNDLED, blank=blank),
    )
