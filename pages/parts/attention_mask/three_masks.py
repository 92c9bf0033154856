"""Three things called mask, kept apart: causal mask, padding mask, and the token [MASK]."""

import streamlit as st

from mlm_core.classroom.drawn_masks import mask_to_text
from mlm_core.encoder.attention import bidirectional_mask, padding_mask
from mlm_core.encoder.comparison import largest_difference
from mlm_core.figures.chips import chip_row
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import MOST_PADDING, sentence
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 5


@part
def show(page: Page) -> None:
    """Show by experiment what padding mask and [MASK] do, and that they are not the same."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("three_masks.lead"))
    if model.bert is None:
        st.info(words.section("no_switch", model=page.model_name), icon=":material/info:")
        return
    text = sentence(page)
    st.markdown(words.section("three_masks.padding"))
    _padding(page, text)
    st.markdown(words.section("three_masks.token"))
    _mask_token(page, text)
    show_source(padding_mask, key="attention_mask_three_code")


def _padding(page: Page, text: str) -> None:
    words = page.words
    n_padding = inputs.slider(
        words.label("n_padding"),
        1,
        MOST_PADDING,
        3,
        key="attention_mask_padding",
    )
    padded, with_mask = cache.encoding(page.model_name, text, n_padding=n_padding)
    n_tokens = len(padded.tokens)
    n_real = n_tokens - n_padding
    everything = mask_to_text(bidirectional_mask(n_tokens))
    _, without = cache.encoding(page.model_name, text, n_padding=n_padding, drawn_mask=everything)
    # The text alone, cut where the padded one was cut.
    alone, reference = cache.encoding(page.model_name, text, max_tokens=n_real)
    inputs.say_what_was_left_out(alone)
    drawing(
        chip_row(padded.tokens, blocked=range(n_real, n_tokens), label=words.label("n_padding")),
        key="attention_mask_padded",
    )
    moved = {
        "padding_masked": largest_difference(with_mask, reference, n_real),
        "padding_seen": largest_difference(without, reference, n_real),
    }
    for name, column in zip(moved, st.columns(len(moved)), strict=True):
        column.metric(
            words.label(name), formatted(moved[name], ".6f"), help=words.label("moved_help")
        )
    keep(
        "attention_mask_moved",
        table=Table({"case": list(moved), "largest_difference": list(moved.values())}),
        source=words.label("padding_source", model=page.model_name, n=n_real),
    )
    st.markdown(words.section("three_masks.padding_notice"))


def _mask_token(page: Page, text: str) -> None:
    """Hide one word with [MASK]; compare the guesses with [MASK] seen and blocked."""
    words = page.words
    tokens, _ = cache.encoding(page.model_name, text)
    real = [word for word in tokens.words if word.text.isalnum()]
    if not real:
        st.info(words.section("three_masks.no_word"), icon=":material/edit:")
        return
    names = [word.text for word in real]
    default = max(range(len(real)), key=lambda i: len(names[i]))  # likely a word with content
    chosen = real[
        inputs.position(words.label("hide"), names, key="attention_mask_hidden", default=default)
    ]
    hidden = f"{tokens.text[: chosen.start]}[MASK]{tokens.text[chosen.stop :]}"
    masked, encoding = cache.encoding(page.model_name, hidden)
    blank = masked.texts.index("[MASK]")
    n_tokens = len(masked.tokens)
    given = encoding.weights[-1][0, :, :, blank].mean().item()
    not_looked_at = bidirectional_mask(n_tokens)
    not_looked_at[:, blank] = False
    cases = {
        "token_seen": None,
        "token_blocked": mask_to_text(not_looked_at),
    }
    rows = []
    for name, mask in cases.items():
        guesses = cache_predictions.fillers(
            page.model_name, hidden, blank, N_GUESSES, drawn_mask=mask
        )
        rows += [
            {"case": words.plain(name), "guess": guess, "probability": probability}
            for guess, probability in guesses
        ]
    drawing(chip_row(masked.tokens, label=hidden), key="attention_mask_hidden_chips")
    st.markdown(
        words.section(
            "three_masks.given",
            weight=formatted(given, ".3f"),
            equal=formatted(1 / n_tokens, ".3f"),
        )
    )
    Table(
        {
            words.plain(name): [
                f"{row['guess']}  {formatted(row['probability'], '.3f')}"
                for row in rows
                if row["case"] == words.plain(name)
            ]
            for name in cases
        }
    ).show()
    keep(
        "attention_mask_token",
        table=Table(rows),
        source=words.label("token_source", model=page.model_name, word=chosen.text),
    )
    st.markdown(words.section("three_masks.token_notice"))
