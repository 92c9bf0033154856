"""The sentence that a tagger is asked about: the learner's own, or one of the test part."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.bio_tagging.distribution_words import pick_test_sentence, split_words
from pages.shared import cache_tagging, inputs
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.tagging.bio_tags import Span

FROM = "bio_tagging_sentence_from"


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

    part, place = divmod(number, cache_tagging.AT_ONCE)
    decoded = cache_tagging.decoded_part(snapshot, part)[place]
    return bool(faults_in(decoded[combination, "greedy"], snapshot.settings.scheme))
