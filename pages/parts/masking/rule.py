"""Other rules on the same sentence: rates, units, selection, where random words come from."""

import streamlit as st

from mlm_core.figures.masking.corruption import play_html
from mlm_core.masking.random_words import random_words, unigram_counts
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, corrupt, moves, play_state
from mlm_core.number_format import formatted
from pages.parts.masking import decisions, setting
from pages.parts.masking.play import row_names
from pages.parts.masking.rule_widgets import choose_rule, in_words
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source


@part
def show(page: Page) -> None:
    """Play the sentence to its end under the learner's own rule."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("rule.lead"))
    rule, uniform = choose_rule(page)
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    sampler = now.random_words(uniform=uniform)
    corruption = corrupt(now.text.tokens, now.rolls(), rule, sampler, now.mask)
    show_drawing(
        play_html(
            corruption,
            play_state(corruption, len(moves(corruption))),
            rule,
            names=row_names(page, "row_span" if rule.unit == "span" else "row_draw"),
            at=None,
            alt=words.plain("rule_alt", chosen=len(corruption.choice.positions)),
            clickable=False,
        ),
        key="masking_rule_play",
        table=lambda: decisions.table_of(page, corruption),
        source=words.label(
            "rule_play_source",
            model=page.model_name,
            seed=now.seed,
            rule=in_words(page, rule, uniform),
        ),
    )
    st.markdown(decisions.what_counts(page, corruption))
    st.markdown(_how_it_came(page, rule, corruption))
    st.markdown(words.section("rule.words_uniform" if uniform else "rule.words_unigram"))
    show_source(corrupt, unigram_counts, random_words, key="masking_rule_code")


def _how_it_came(page: Page, rule: CorruptionRule, corruption: Corruption) -> str:
    """Say how this rule came to its choice on this sentence."""
    words, choice = page.words, corruption.choice
    n_real = len(corruption.tokens)
    if rule.unit == "span":
        lengths = ", ".join(map(str, choice.span_words))
        return words.section(
            "rule.span", n=len(choice.span_words), lengths=lengths, count=choice.count
        )
    if choice.count is None:
        return words.section(
            f"rule.{rule.unit}_by_itself", rate=formatted(rule.mlm_probability, ".2f")
        )
    too_long = {
        each.unit for each in choice.candidates if each.unit is not None and not each.is_chosen
    }
    sizes = [each.unit for each in choice.candidates if each.unit is not None]
    passed_over = sum(sizes.count(unit) > choice.count for unit in too_long)
    said = words.section(
        f"rule.{rule.unit}_count",
        rate=formatted(rule.mlm_probability, ".2f"),
        n=n_real,
        product=formatted(n_real * rule.mlm_probability, ".2f"),
        count=choice.count,
    )
    if rule.unit == "word" and passed_over:
        said += " " + words.section("rule.word_passed_over", n=passed_over, count=choice.count)
    return said
