"""Opening: the same word in two sentences, with the causal switch on and off."""

import streamlit as st

from mlm_core.encoder.comparison import WordComparison, compare_word, shared_words
from mlm_core.figures.chips import chip_row
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, Word
from pages.shared.caches import cache
from pages.shared.course.words import Words, as_text
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Compare one word's vectors in two sentences that differ behind it."""
    words = page.words
    left, right = st.columns(2)
    with left:
        first = inputs.text(
            words.label("first"), words.label("default_first"), key="attention_mask_first"
        )
    with right:
        second = inputs.text(
            words.label("second"), words.label("default_second"), key="attention_mask_second"
        )
    settings = st.container(horizontal=True)
    with settings:
        causal = _switch(page)
    tokens_1, encoding_1 = cache.encoding(page.model_name, first, causal)
    tokens_2, encoding_2 = cache.encoding(page.model_name, second, causal)
    inputs.say_what_was_left_out(tokens_1, tokens_2)
    shared = {word.text: word for word in shared_words(tokens_1, tokens_2)}
    if not shared:
        st.info(words.section("contrast.no_shared_word"), icon=":material/search:")
        return
    default = "bank" if "bank" in shared else max(shared, key=len)
    with settings:
        word = shared[_choose_word(words, list(shared), default)]
    comparison = compare_word(encoding_1, encoding_2, word)
    _sentence_with_view(tokens_1, word.first, causal, key="attention_mask_chips_1")
    _sentence_with_view(tokens_2, word.second, causal, key="attention_mask_chips_2")

    cosine = comparison.cosines[-1]
    left, right = st.columns(2)
    with left:
        st.metric(words.label("contrast_metric", word=word.text), formatted(cosine, ".3f"))
        st.markdown(words.section(_verdict(causal, word.same_before), word=word.text))
    with right:
        _draw_layers(page, comparison, causal, word.text)
    show_source(compare_word, key="attention_mask_contrast_code")


def _draw_layers(page: Page, comparison: WordComparison, causal: bool, word: str) -> None:
    """Show the cosine after the embedding and after each layer."""
    words = page.words
    states = [words.label("state_0")] + [
        words.label("state", layer=i) for i in range(1, len(comparison.cosines))
    ]
    kind = words.label("mask_causal" if causal else "mask_bidirectional")
    show_drawing(
        matrix_svg(
            [comparison.cosines],
            [words.label("cosine")],
            states,
            alt=words.plain("contrast_alt", cosine=formatted(comparison.cosines[-1], ".3f")),
        ),
        key="attention_mask_contrast",
        table=Table(
            {
                "state": states,
                "cosine": comparison.cosines,
                "largest_difference": comparison.largest_differences,
            }
        ),
        source=words.label("contrast_source", model=page.model_name, mask=kind, word=word),
    )


def _switch(page: Page) -> bool:
    """Show the causal switch; return whether it is on. Not every model has one."""
    words = page.words
    if cache.model(page.model_name).bert is None:
        st.info(words.section("no_switch", model=page.model_name), icon=":material/info:")
        return False
    options = {
        "causal": words.label("mask_causal"),
        "bidirectional": words.label("mask_bidirectional"),
    }
    return inputs.choice(words.label("mask"), options, key="attention_mask_switch") == "causal"


def _choose_word(words: Words, shared: list[str], default: str) -> str:
    if len(shared) == 1:
        return shared[0]
    return inputs.choice(
        words.label("contrast_word"),
        {word: as_text(word) for word in shared},
        key="attention_mask_word",
        default=default,
    )


def _sentence_with_view(text: TokenizedText, word: Word, causal: bool, *, key: str) -> None:
    """Show a sentence's chips: the word ringed, what it may not look at hatched."""
    last = word.positions[-1]
    hidden = range(last + 1, len(text.tokens)) if causal else ()
    drawing(
        chip_row(text.tokens, selected=word.positions, blocked=hidden, label=text.text), key=key
    )


def _verdict(causal: bool, same_before: bool) -> str:
    if not causal:
        return "contrast.bidirectional"
    return "contrast.causal_same" if same_before else "contrast.causal_different"
