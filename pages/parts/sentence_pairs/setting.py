"""What several parts of this lesson share: a pair and its verdict, documents, the seed."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, seeds, whole_page

if TYPE_CHECKING:
    from mlm_core.prediction.next_sentence import NextSentenceSteps

LONGEST_DOCUMENTS = 20_000  # characters; some 250 pairs
LARGEST_SEED = 100


def has_head(page: Page, *, key: str) -> bool:
    """Return whether the model can judge pairs; if it can't, say so and offer the bundled one."""
    bert = cache.model(page.model_name).bert
    if bert is not None and bert.next_sentence_head is not None:
        return True
    st.info(page.words.section("no_head", model=page.model_name), icon=":material/info:")
    st.button(
        page.words.label("bundled"),
        on_click=whole_page.choose,
        args=("model", BUNDLED),
        icon=":material/swap_horiz:",
        key=f"sentence_pairs_bundled_{key}",
    )
    return False


def judge(
    page: Page, first: str, second: str, *, one_segment: bool = False
) -> "tuple[TokenizedText, NextSentenceSteps] | None":
    """Return a pair's tokens and verdict; say what is missing, and return None, if it is empty."""
    text, steps = cache.next_sentence(page.model_name, first, second, one_segment)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        st.info(page.words.section("no_text"), icon=":material/edit:")
        return None
    inputs.say_what_was_left_out(text)
    return text, steps


def show_pair(page: Page, text: TokenizedText, *, key: str) -> None:
    """Show a pair's chips, segment by segment."""
    from mlm_core.figures.prediction.sentence_pairs import pair_html

    words = page.words
    names = (words.plain("segment_a"), words.plain("segment_b"))
    drawing(pair_html(text.tokens, names, label=words.plain("pair_alt")), key=key)


def own_pair(page: Page) -> tuple[str, str]:
    """Show the two lines of the learner's own pair, the same in every part."""
    words = page.words
    left, right = st.columns(2)
    with left:
        first = inputs.text(
            words.label("first"), words.label("own_first"), key="sentence_pairs_first"
        )
    with right:
        second = inputs.text(
            words.label("second"), words.label("own_second"), key="sentence_pairs_second"
        )
    return first, second


def seed(page: Page) -> int:
    """Show the number that all chance of this lesson comes from."""
    return inputs.slider(
        page.words.label("seed"),
        1,
        LARGEST_SEED,
        seeds.start(1, 1, LARGEST_SEED),
        key="sentence_pairs_seed",
        width=220,
    )


def documents_text(page: Page) -> str | None:
    """Let the learner choose documents; return their own text, or None for ours."""
    words = page.words
    names = {name: words.label(f"documents_{name}") for name in ("ours", "own")}
    if inputs.choice(words.label("documents"), names, key="sentence_pairs_documents") == "ours":
        return None
    longest = formatted(LONGEST_DOCUMENTS, ",")
    text = st.text_area(
        words.label("own_documents"),
        words.section("batch.sample"),
        height=180,
        max_chars=LONGEST_DOCUMENTS,
        key="sentence_pairs_own",
        persist_state="session",
    )
    st.caption(words.section("batch.own_help", longest=longest))
    text = text or ""
    if len(text) >= LONGEST_DOCUMENTS:
        st.warning(words.section("batch.cut", longest=longest), icon=":material/content_cut:")
    return text[:LONGEST_DOCUMENTS]
