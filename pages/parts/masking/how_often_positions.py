"""How often each position was chosen, against what the rule promises."""

import streamlit as st

from mlm_core.figures.masking.counts import counts_svg
from mlm_core.masking.counts import Counts, probability_of_choice
from mlm_core.masking.goodness_of_fit import fit_of_drawn_together, fit_of_independent
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import why_excluded
from pages.parts.masking.setting import Setting
from pages.parts.masking.verdict import show_verdict
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table


def show_positions(
    page: Page, now: Setting, rule: CorruptionRule, counts: Counts, source: str
) -> None:
    """Show a bar a position, with a verdict where a formula gives the expectation."""
    words, chances = page.words, probability_of_choice(now.text.tokens, rule)
    st.markdown(words.section("how_often.positions"))
    expected = chances and [chance * counts.n_draws for chance in chances]
    columns = {"token": now.names, "observed": counts.positions}
    table = Table(columns | {"expected": expected} if expected else columns)
    show_drawing(
        counts_svg(
            [f"{name} {i}" for i, name in enumerate(now.names)],
            counts.positions,
            expected,
            alt=words.plain("positions_alt", n=counts.n_draws),
        ),
        key="masking_positions",
        table=table,
        source=source,
    )
    if expected is None:
        st.markdown(words.section("how_often.no_formula"))
        return
    free = [
        count
        for token, count in zip(now.text.tokens, counts.positions, strict=True)
        if why_excluded(token) is None
    ]
    if rule.selection == "fixed_count":
        n_chosen = min(len(free), count_to_choose(len(now.names), rule.mlm_probability))
        show_verdict(page, fit_of_drawn_together(free, counts.n_draws, n_chosen))
    elif rule.unit == "token":
        show_verdict(page, fit_of_independent(free, counts.n_draws, rule.mlm_probability))
    else:
        st.markdown(words.section("how_often.bound"))
