"""Thousands of draws against what the rule promises, with a chi-square verdict in words."""

from random import Random

import streamlit as st

from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.figures.masking.counts import counts_svg
from mlm_core.masking.counts import (
    Counts,
    count_corruptions,
    expected_branches,
)
from mlm_core.masking.goodness_of_fit import (
    chi_square_tail,
    fit_of_proportions,
)
from mlm_core.masking.rule import CorruptionRule
from pages.parts.masking import link_number, setting
from pages.parts.masking.how_often_positions import show_positions
from pages.parts.masking.rule_widgets import choose_rule, in_words
from pages.parts.masking.setting import Setting
from pages.parts.masking.verdict import show_verdict
from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table

N_DRAWS = ("100", "1000", "10000")
RUN = "masking_run"


@part
def show(page: Page) -> None:
    """Draw many times; hold the branches and the positions against the rule."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("how_often.lead"))
    rule, uniform = choose_rule(page)
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    run = link_number.read(words.label("run"), 0, key=RUN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_draws = inputs.choice(
            words.label("n_draws"),
            {n: f"{int(n):,}" for n in N_DRAWS},
            key="masking_n_draws",
            default="1000",
        )
        inputs.button(
            words.label("draw_again"),
            changes=RUN,
            icon=":material/casino:",
            on_click=link_number.put,
            args=(RUN, run + 1),
            key=RUN + "_go",
        )
    counts = counted(page, now, rule, int(n_draws), run)
    source = words.label(
        "counts_source",
        n=f"{counts.n_draws:,}",
        rule=in_words(page, rule, uniform),
        seed=now.seed,
        run=run + 1,
    )
    _branches(page, rule, counts, source)
    show_positions(page, now, rule, counts, source)
    st.markdown(words.section("how_often.notice"))
    show_source(
        count_corruptions, fit_of_proportions, chi_square_tail, key="masking_how_often_code"
    )


def counted(page: Page, now: Setting, rule: CorruptionRule, n_draws: int, run: int) -> Counts:
    """Return the counts of one run, with progress while they are made; kept for the next rerun."""
    asked = (now.names, now.seed, rule, n_draws, run)
    kept = st.session_state.get("masking_counts")
    if kept and kept[0] == asked:
        return kept[1]
    # The run is in the seed, so that a second run of the same view differs from the first.
    rng = Random(f"{now.seed}/{run}")
    bar = st.progress(0.0, text=page.words.label("drawing_lots"))
    counts = None
    for counts in count_corruptions(now.text.tokens, rule, rng, n_draws, max(1, n_draws // 20)):
        bar.progress(counts.n_draws / n_draws)
    bar.empty()
    st.session_state["masking_counts"] = (asked, counts)
    return counts


def _branches(page: Page, rule: CorruptionRule, counts: Counts, source: str) -> None:
    words, expected = page.words, expected_branches(rule, counts.n_dice)
    names = {branch: words.plain(f"branch_{branch}") for branch in expected}
    st.markdown(words.section("how_often.branches", n=f"{counts.n_dice:,}"))
    show_drawing(
        counts_svg(
            list(names.values()),
            [counts.branches[branch] for branch in names],
            list(expected.values()),
            colours=[BRANCH_COLOURS[branch] for branch in names],
            alt=words.plain("branches_alt", n=counts.n_dice),
        ),
        key="masking_branches",
        table=Table(
            {
                "branch": list(names),
                "observed": [counts.branches[branch] for branch in names],
                "expected": [expected[branch] for branch in names],
            }
        ),
        source=source,
    )
    fit = fit_of_proportions([counts.branches[branch] for branch in names], list(expected.values()))
    show_verdict(page, fit)
