"""The sentence that a tagger is asked about: the learner's own, or one of the test part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import printable
from pages.parts.bio_tagging.setting import split_words
from pages.shared.caches import cache_finetuning
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, locks

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import TaggedSentence
    from mlm_core.tagging.bio_tags import Span

FROM = "bio_tagging_sentence_from"
LONGEST_SEARCHED = LONGEST_LISTED = 40  # characters


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Words, and their entities where somebody has marked them."""

    words: tuple[str, ...]
    gold: "tuple[Span, ...] | None"


def choose_sentence(page: Page, snapshot: "FineTuneSnapshot", combination: str) -> Sentence | None:
    """Show the choice of a sentence; None if there is no word in it."""
    words = page.words
    names = {name: words.label(f"sentence_{name}") for name in ("own", "test")}
    if inputs.choice(words.label("sentence_from"), names, key=FROM) == "own":
        text = inputs.text(
            words.label("sentence"),
            words.plain("sentence_default"),
            key="bio_tagging_sentence",
        )
        found = split_words(text)
        if not found:
            st.info(words.section("distribution.no_text"), icon=":material/edit:")
            return None
        return Sentence(words=found, gold=None)
    number = pick_test_sentence(
        page,
        snapshot.dataset.test,
        key="bio_tagging_test_sentence",
        wanted=lambda i: breaks_a_rule(snapshot, i, combination),
        label="next_broken",
    )
    example = snapshot.dataset.test[number]
    return Sentence(words=example.words, gold=example.spans)


def breaks_a_rule(snapshot: "FineTuneSnapshot", number: int, combination: str) -> bool:
    """Return whether the greedy tags of a test sentence are illegal."""
    from mlm_core.tagging.transitions import faults_in

    part, place = divmod(number, cache_finetuning.AT_ONCE)
    decoded = cache_finetuning.decoded_part(snapshot, part)[place]
    return bool(faults_in(decoded[combination, "greedy"], snapshot.settings.scheme))


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
