"""Thousands of draws against what the rule promises, with a chi-square verdict in words."""

from random import Random

import streamlit as st

from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.figures.masking.counts import counts_svg
from mlm_core.masking.counts import (
    Counts,
    count_corruptions,
    expected_branches,
    probability_of_choice,
)
from mlm_core.masking.goodness_of_fit import (
    chi_square_tail,
    fit_of_choices,
    fit_of_proportions,
)
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import why_excluded
from mlm_core.number_format import formatted
from pages.parts.masking import setting
from pages.parts.masking.rule_widgets import choose_rule, in_words
from pages.parts.masking.setting import Setting
from pages.parts.masking.verdict import show_verdict
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, link_number

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
            {n: formatted(int(n), ",") for n in N_DRAWS},
            key="masking_n_draws",
            default="1000",
        )
        link_number.show_next(
            words.label("draw_again"), run, key=RUN, button=RUN + "_go", icon=":material/casino:"
        )
    counts = counted(page, now, rule, int(n_draws), run)
    source = words.label(
        "counts_source",
        n=formatted(counts.n_draws, ","),
        rule=in_words(page, rule, uniform),
        seed=now.seed,
        run=run + 1,
    )
    _branches(page, rule, counts, source)
    _show_positions(page, now, rule, counts, source)
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
    words, expected = page.words, expected_branches(rule, counts.n_branch_draws)
    names = {branch: words.plain(f"branch_{branch}") for branch in expected}
    st.markdown(words.section("how_often.branches", n=formatted(counts.n_branch_draws, ",")))
    show_drawing(
        counts_svg(
            list(names.values()),
            [counts.branches[branch] for branch in names],
            list(expected.values()),
            colours=[BRANCH_COLOURS[branch] for branch in names],
            alt=words.plain("branches_alt", n=counts.n_branch_draws),
        ),
        key="masking_branches",
        table=Table(
            {
                "branch": list(names.values()),
                "observed": [counts.branches[branch] for branch in names],
                "expected": [expected[branch] for branch in names],
            }
        ),
        source=source,
    )
    fit = fit_of_proportions([counts.branches[branch] for branch in names], list(expected.values()))
    show_verdict(page, fit)


# How often each position was chosen, against what the rule promises.


def _show_positions(
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
        rate = n_chosen / len(free)
        show_verdict(page, fit_of_choices(free, counts.n_draws, rate, fixed=True))
    elif rule.unit == "token":
        rate = rule.mlm_probability
        show_verdict(page, fit_of_choices(free, counts.n_draws, rate, fixed=False))
    else:
        st.markdown(words.section("how_often.bound"))
