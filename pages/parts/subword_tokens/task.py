"""The task at the end: one long word in one piece, one short word in three."""

import streamlit as st

from mlm_core.figures.chips import chip_row
from mlm_core.text.tokens import tokenize
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

GOALS = {"long": (10, 1), "short": (4, 3)}  # letters of the word, pieces it must become


@part
def show(page: Page) -> None:
    """Check both words with the chosen model's own tokenizer, while they are typed."""
    words = page.words
    st.markdown(words.section("task.lead", model=page.model_name))
    n_right = 0
    for (name, goal), column in zip(GOALS.items(), st.columns(2, gap="medium"), strict=True):
        with column:
            word = inputs.text(words.label(f"task_{name}"), "", key=f"subword_tokens_{name}")
            n_right += _check(page, name, word.strip(), *goal)
    if n_right == len(GOALS):
        st.success(words.section("task.done"), icon=":material/check_circle:")
    else:
        with st.expander(
            words.label("hint"), icon=":material/lightbulb:", key="subword_tokens_hint"
        ):
            st.markdown(words.section("task.hint"))


def _check(page: Page, name: str, word: str, n_letters: int, n_goal: int) -> bool:
    """Show the word's pieces and a verdict; return whether the goal is reached."""
    words = page.words
    if not word:
        st.caption(words.label("task_waits"))
        return False
    cut = tokenize(cache.model_tokenizer(page.model_name), word)
    pieces = [token for token in cut.tokens if token.word is not None]
    drawing(
        chip_row(pieces, first=1, label=words.plain("task_chips")),
        key=f"subword_tokens_{name}_chips",
    )
    if not word.isalpha():
        verdict = "letters_only"
    elif len(word) != n_letters:
        verdict = "wrong_length"
    elif len(pieces) != n_goal:
        verdict = "wrong_pieces"
    elif any(token.is_special for token in pieces):
        verdict = "unknown"
    else:
        verdict = "right"
    sentence = words.section(
        f"task.{verdict}",
        word=word,
        letters=len(word),
        wanted=n_letters,
        pieces=len(pieces),
        goal=n_goal,
    )
    if verdict == "right":
        st.markdown(f":green[:material/check:] {sentence}")
    else:
        st.markdown(f":orange[:material/close:] {sentence}")
    return verdict == "right"
