"""A sentence's words: the learner's own, cut as the stored data is, or a test sentence's."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import printable
from pages.shared import inputs, locks
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.labelled.examples import TaggedSentence

OPENING = "\"'([{“‘„«¿¡"
CLOSING = "\"')]}”’»,.;:!?…"
POSSESSIVES = ("'s", "’s")
LONGEST_SEARCHED = LONGEST_LISTED = 40  # characters


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, with the marks around a word as words of their own.

    >>> split_words("Ann's dog (Rex) barked.")
    ('Ann', "'s", 'dog', '(', 'Rex', ')', 'barked', '.')
    """
    found: list[str] = []
    for chunk in text.split():
        before, after = [], []
        while len(chunk) > 1 and chunk[0] in OPENING:
            before.append(chunk[0])
            chunk = chunk[1:]
        while len(chunk) > 1 and chunk[-1] in CLOSING:
            after.insert(0, chunk[-1])
            chunk = chunk[:-1]
        if len(chunk) > 2 and chunk.endswith(POSSESSIVES):
            after.insert(0, chunk[-2:])
            chunk = chunk[:-2]
        found += [*before, chunk, *after]
    return tuple(found)


def pick_test_sentence(
    page: Page,
    sentences: "Sequence[TaggedSentence]",
    *,
    key: str,
    wanted: Callable[[int], bool],
    label: str,
) -> int:
    """Show the test sentences as a list, and a button to the next one that is `wanted`."""
    words = page.words

    def go_on() -> None:
        start = int(st.session_state.get(key) or 0)
        n = len(sentences)
        for away in range(1, n + 1):
            if wanted((start + away) % n):
                st.session_state[key] = str((start + away) % n)
                return
        st.toast(words.label("none_found"))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        texts = [" ".join(sentence.words) for sentence in sentences]
        shown = [printable(text, LONGEST_LISTED) for text in texts]
        default = next((i for i in range(len(sentences)) if wanted(i)), 0)
        if st.session_state.get(key) not in map(str, range(len(sentences))):
            st.session_state.pop(key, None)
        sought = "" if locks.is_fixed(key) else _search(page, key)
        found = [i for i, text in enumerate(texts) if sought in text.casefold()]
        number = inputs.position(
            words.label("test_sentence"), shown, key=key, default=default, among=found
        )
        st.button(
            words.label(label), on_click=go_on, icon=":material/skip_next:", key=f"{key}_next"
        )
    if not found:
        st.caption(words.label("none_found"))
    return number


def _search(page: Page, key: str) -> str:
    """Show a field for a word that the listed sentences have; it is in no link."""
    sought = st.text_input(
        page.words.label("find_sentence"),
        key=f"{key}_find",
        max_chars=LONGEST_SEARCHED,
        icon=":material/search:",
        autocomplete="off",
        persist_state="session",
        help=page.words.label("find_sentence_help", n=inputs.MOST_LISTED),
        width=220,
    )
    return (sought or "")[:LONGEST_SEARCHED].strip().casefold()
