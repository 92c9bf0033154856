"""The bands of frequency in words: their numbers, and some of the words in them."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.embeddings.frequency import BandSample, BandScore


def say_bands(page: Page, scores: "list[tuple[BandScore, ...]]") -> None:
    """Say how alike the uses of rare and of frequent words are, under each treatment."""
    told = {}
    for name, bands in zip(("raw", "dropped", "z"), scores, strict=True):
        told |= {
            f"{name}_rare": formatted(bands[0].self_similarity, ".2f"),
            f"{name}_frequent": formatted(bands[-1].self_similarity, ".2f"),
            f"{name}_rare_near": formatted(100 * bands[0].neighbour_proportion, ".0f"),
            f"{name}_frequent_near": formatted(100 * bands[-1].neighbour_proportion, ".0f"),
        }
    st.markdown(page.words.section("frequent.answer", **told))


def name_words(page: Page, sample: "BandSample") -> None:
    """Name some words of the rarest and of the most frequent band."""
    lists = {}
    for name, band in (("rare", min(sample.bands)), ("frequent", max(sample.bands))):
        found = dict.fromkeys(
            word for word, of in zip(sample.types, sample.bands, strict=True) if of == band
        )
        most = sorted(found, key=sample.counts.__getitem__, reverse=name == "frequent")
        lists[name] = ", ".join(
            f"{word} ({formatted(sample.counts[word], ',')})" for word in most[:8]
        )
    st.markdown(page.words.section("frequent.words", **lists))
