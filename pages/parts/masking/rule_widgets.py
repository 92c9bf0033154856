"""The widgets of the rule, which two parts share, and the rule in words."""

from typing import Any

import streamlit as st

from mlm_core.masking.rule import CorruptionRule
from pages.shared.kit.part import Part


def choose_rule(p: Part) -> tuple[CorruptionRule, bool]:
    """Show the widgets of the rule; return it, and whether random words come uniformly."""
    with st.container(horizontal=True):
        unit, selection = p.choice("unit"), "fixed_count"
        if unit != "span":
            selection = p.choice("selection")
        source = p.choice("words")
    settings: dict[str, Any] = {"format": "%d %%", "persist_state": "session"}
    left, right = st.columns(2, gap="medium")
    with left:
        percent = p.slider("rate", **settings)
    with right:
        # Two marks on one line cut it in three: any three shares that sum to 1.
        mask, rest = p.slider("zones", help=p.label("zones_help"), **settings)
    rule = CorruptionRule(
        mlm_probability=percent / 100,
        unit=unit,
        selection=selection,
        mask_rate=mask / 100,
        random_rate=(rest - mask) / 100,
        keep_rate=(100 - rest) / 100,
    )
    return rule, source == "uniform"


def in_words(p: Part, rule: CorruptionRule, uniform: bool) -> str:
    """Return the rule as the line under a figure says it."""
    return p.plain(
        "rule_source",
        rate=rule.mlm_probability,
        unit=p.plain(f"unit_{rule.unit}"),
        selection=p.plain(f"selection_{rule.selection}"),
        mask=rule.mask_rate,
        random=rule.random_rate,
        keep=rule.keep_rate,
        words=p.plain("words_uniform" if uniform else "words_unigram"),
    )
