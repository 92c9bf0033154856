"""The widgets of the rule, which two parts share, and the rule in words."""

from collections.abc import Sequence

import streamlit as st

from mlm_core.masking.rule import CorruptionRule
from mlm_core.number_format import formatted
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs


def choose_rule(page: Page) -> tuple[CorruptionRule, bool]:
    """Show the widgets of the rule; return it, and whether random words come uniformly."""
    words = page.words
    with st.container(horizontal=True):
        unit = _choice(page, "unit", ("token", "word", "span"))
        selections = ("fixed_count",) if unit == "span" else ("fixed_count", "independent")
        selection = selections[0]
        if len(selections) > 1:
            selection = _choice(page, "selection", selections)
        source = _choice(page, "words", ("unigram", "uniform"))
    rate, zones = st.columns(2, gap="medium")
    with rate:
        percent = inputs.slider(
            words.label("rate"),
            5,
            100,
            15,
            5,
            format="%d %%",
            key="masking_rate",
            persist_state="session",
        )
    with zones:
        # Two marks on one line cut it in three: any three shares that sum to 1.
        mask, rest = inputs.slider(
            words.label("zones"),
            0,
            100,
            (80, 90),
            5,
            format="%d %%",
            key="masking_zones",
            persist_state="session",
            help=words.label("zones_help"),
        )
    made = CorruptionRule(
        mlm_probability=percent / 100,
        unit=unit,
        selection=selection,
        mask_rate=mask / 100,
        random_rate=(rest - mask) / 100,
        keep_rate=(100 - rest) / 100,
    )
    return made, source == "uniform"


def in_words(page: Page, made: CorruptionRule, uniform: bool) -> str:
    """Return the rule as the line under a figure says it."""
    words = page.words
    return words.plain(
        "rule_source",
        rate=formatted(100 * made.mlm_probability, ".0f"),
        unit=words.plain(f"unit_{made.unit}"),
        selection=words.plain(f"selection_{made.selection}"),
        shares="/".join(
            formatted(100 * share, ".0f")
            for share in (made.mask_rate, made.random_rate, made.keep_rate)
        ),
        words=words.plain("words_uniform" if uniform else "words_unigram"),
    )


def _choice(page: Page, name: str, options: Sequence[str]) -> str:
    labels = {option: page.words.label(f"{name}_{option}") for option in options}
    return inputs.choice(page.words.label(name), labels, key=f"masking_{name}")
