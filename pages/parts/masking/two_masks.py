"""Do two masked tokens see each other? The second blank blocked, and in sight."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.text.tokens import role_token, tokenize
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

N_GUESSES = 5


def show(page: Page) -> None:
    """Ask for the first blank twice: seeing the second one, and not."""
    words, model = page.words, cache.model(page.model_name)
    typed = inputs.text(
        words.label("two_text"), words.label("default_two_text"), key="masking_two_text"
    )
    mask = role_token(model.tokenizer, "[MASK]")
    text = typed.replace("[MASK]", mask)
    tokens = tokenize(model.tokenizer, text, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(tokens)
    blanks = [i for i, token in enumerate(tokens.texts) if token == mask]
    if len(blanks) < 2:
        st.info(words.section("questions.two_blanks"), icon=":material/edit:")
        return
    if model.bert is None:
        st.info(words.section("no_mask_switch", model=page.model_name), icon=":material/info:")
        return
    cases = {"seen": None, "blocked": _all_but(len(tokens.tokens), blanks[1])}
    guesses = {
        name: cache_predictions.fillers(
            page.model_name, text, blanks[0], N_GUESSES, drawn_mask=drawn
        )
        for name, drawn in cases.items()
    }
    longest = max(guess[0][1] for guess in guesses.values())
    for name, column in zip(cases, st.columns(2, gap="medium"), strict=True):
        with column:
            st.markdown(words.section(f"questions.two_{name}", first=blanks[0], second=blanks[1]))
            show_drawing(
                bars_svg(
                    [token for token, _ in guesses[name]],
                    [probability for _, probability in guesses[name]],
                    longest=longest,
                    alt=words.plain("two_alt", first=blanks[0]),
                ),
                key=f"masking_two_{name}",
                table=Table(guesses[name], columns=["token", "probability"]),
                source=words.label("two_source", model=page.model_name, first=blanks[0]),
            )


def _all_but(n_tokens: int, hidden: int) -> str:
    """Return the mask under which no token but itself looks at `hidden`."""
    from mlm_core.classroom.drawn_masks import mask_to_text
    from mlm_core.encoder.attention import bidirectional_mask

    mask = bidirectional_mask(n_tokens)
    mask[:, hidden] = False
    mask[hidden, hidden] = True
    return mask_to_text(mask)
