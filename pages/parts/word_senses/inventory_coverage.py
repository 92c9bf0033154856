"""How often the sense is right with all examples, with those of the stories, and with none."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.parts.word_senses import setting
from pages.parts.word_senses.inventory_examples import examples_of
from pages.parts.word_senses.setting import Setting
from pages.shared.caches import cache_senses
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.embeddings.sense_inventory import Coverage

WAYS = ("all", "stories", "frequent")


def show(page: Page, now: Setting, names: list[str]) -> None:
    """Judge the words' sentences in three ways and compare."""
    words = page.words
    st.markdown(words.section("inventory.measure"))
    bar, measured = st.empty(), {}
    for i, name in enumerate(names):
        label = words.label("scoring", word=name, n=i + 1, of=len(names))
        bar.progress(i / len(names), label)
        measured[name] = _measure(page, now, name)
    bar.empty()
    n = sum(found.n for found, _ in measured.values())
    right = {
        "all": sum(of_all for _, of_all in measured.values()),
        "stories": sum(found.nearest_right for found, _ in measured.values()),
        "frequent": sum(found.frequent_right for found, _ in measured.values()),
    }
    told = {name: formatted(100 * count / n, ".0f") for name, count in right.items()}
    show_drawing(
        bars_svg(
            [words.plain(f"inventory_way_{name}") for name in WAYS],
            [right[name] / n for name in WAYS],
            longest=1.0,
            alt=words.plain("inventory_bars_alt", **told),
        ),
        key="word_senses_coverage",
        table=Table(
            [
                {
                    "word": cache_senses.stored_word(name).word,
                    "sentences": found.n,
                    "of_seen_senses": found.n_of_seen_senses,
                    "all_examples": of_all,
                    "stories": found.nearest_right,
                    "most_frequent": found.frequent_right,
                }
                for name, (found, of_all) in measured.items()
            ]
        ),
        source=words.label(
            "source", model=page.model_name, layer=setting.layer_name(page, now.layer), n=n
        ),
    )
    st.markdown(words.section("inventory.measured", n=formatted(n, ","), **told))
    _say_seen(page, [found for found, _ in measured.values()])
    _say_stories(page, names)


def _measure(page: Page, now: Setting, name: str) -> "tuple[Coverage, int]":
    from mlm_core.embeddings.sense_inventory import all_examples, coverage
    from mlm_core.embeddings.word_senses import sentence_groups

    tested, few = (examples_of(page, now, name, source) for source in ("lists", "stories"))
    n_senses = len(cache_senses.stored_word(name).senses)
    found = coverage(
        tested.vectors, tested.senses, few.vectors, few.senses, n_senses, method=now.method
    )
    groups = sentence_groups(tested.sentences)
    return found, all_examples(tested.vectors, tested.senses, n_senses, groups, method=now.method)


def _say_seen(page: Page, found: "list[Coverage]") -> None:
    """Say how much of the loss is from senses and words without an example."""
    words = page.words
    seen = sum(one.n_of_seen_senses for one in found)
    n = sum(one.n for one in found)
    fallback = [one for one in found if one.is_fallback]
    right = sum(one.nearest_right for one in found if not one.is_fallback)
    if seen:
        share = formatted(100 * right / seen, ".0f")
        st.markdown(words.section("inventory.seen", seen=seen, n=formatted(n, ","), share=share))
    if fallback:
        of_fallback = sum(one.n for one in fallback)
        share = formatted(100 * sum(one.nearest_right for one in fallback) / of_fallback, ".0f")
        st.markdown(words.section("inventory.of_fallback", n=of_fallback, share=share))


def _say_stories(page: Page, names: list[str]) -> None:
    """Say how large the most frequent sense is in running text, and in our sentences."""
    from collections import Counter

    counts = {
        name: Counter(u.sense for u in cache_senses.story_uses() if u.name == name)
        for name in names
    }
    n = sum(count.total() for count in counts.values())
    if not n:
        return
    largest = sum(max(count.values()) for count in counts.values() if count)
    st.markdown(
        page.words.section("inventory.in_stories", n=n, share=formatted(100 * largest / n, ".0f"))
    )
