"""Thousands of draws against what the rule promises, with a chi-square verdict in words."""

from random import Random
from typing import Any

import streamlit as st

from mlm_core.figures.charts import counts_chart
from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.masking.counts import (
    Counts,
    count_corruptions,
    expected_branches,
    probability_of_choice,
)
from mlm_core.masking.goodness_of_fit import Fit, fit_of_choices, fit_of_proportions
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import why_excluded
from mlm_core.number_format import formatted
from pages.parts.masking import setting
from pages.parts.masking.rule_widgets import choose_rule, in_words
from pages.parts.masking.setting import Setting
from pages.shared.kit.part import Part, part
from pages.shared.link import link_number

N_DRAWS = ("100", "1000", "10000")
RUN = "masking_run"
COUNTS = "masking_counts"  # session state: what was asked, and its counts
ICONS = {"fits": "check", "surprising": "help", "no_fit": "close", "too_few": "hourglass"}


@part(
    code=(
        "masking.counts:count_corruptions",
        "masking.goodness_of_fit:fit_of_proportions",
        "masking.goodness_of_fit:chi_square_tail",
    )
)
def show(p: Part) -> None:
    """Draw many times; hold the branches and the positions against the rule."""
    now = setting.current(p)
    p.say("lead")
    rule, uniform = choose_rule(p)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    run = link_number.read(p.label("run"), 0, key=RUN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_draws = int(p.choice("n_draws", {n: formatted(int(n), ",") for n in N_DRAWS}))
        again = {"key": RUN, "button": f"{RUN}_go", "icon": ":material/casino:"}
        link_number.show_next(p.label("draw_again"), run, **again)
    counts = _counted(p, now, rule, n_draws, run)
    place: dict[str, Any] = {
        "n": n_draws,
        "rule": in_words(p, rule, uniform),
        "seed": now.seed,
        "run": run + 1,
    }
    _show_branches(p, rule, counts, place)
    _show_positions(p, now, rule, counts, place)
    p.say("notice")


def _counted(p: Part, now: Setting, rule: CorruptionRule, n_draws: int, run: int) -> Counts:
    """Return the counts of one run, with progress while they are made; kept for the next rerun."""
    asked = (now.names, now.seed, rule, n_draws, run)
    kept = st.session_state.get(COUNTS)
    if kept and kept[0] == asked:
        return kept[1]
    # The run is in the seed, so that a second run of the same view differs from the first.
    rng = Random(f"{now.seed}/{run}")
    bar = st.progress(0.0, text=p.label("drawing_lots"))
    counts = None
    for counts in count_corruptions(now.text.tokens, rule, rng, n_draws, max(1, n_draws // 20)):
        bar.progress(counts.n_draws / n_draws)
    bar.empty()
    assert counts is not None  # at least one draw was asked for
    st.session_state[COUNTS] = (asked, counts)
    return counts


def _show_branches(p: Part, rule: CorruptionRule, counts: Counts, place: dict[str, Any]) -> None:
    """Show how often each action was drawn, beside the expected number, with a verdict."""
    expected = expected_branches(rule, counts.n_branch_draws)
    names = [p.plain(f"branch_{branch}") for branch in expected]
    means, observed = list(expected.values()), [counts.branches[branch] for branch in expected]
    colours = [BRANCH_COLOURS[branch] for branch in expected]
    p.say("branches", n=counts.n_branch_draws)
    p.figure(
        "branches",
        counts_chart(names, observed, means, colours=colours),
        {"branch": names, "observed": observed, "expected": means},
        source="counts_source",
        draws=counts.n_branch_draws,
        **place,
    )
    _say_verdict(p, fit_of_proportions(observed, means))


def _show_positions(
    p: Part, now: Setting, rule: CorruptionRule, counts: Counts, place: dict[str, Any]
) -> None:
    """Show a bar a position, with a verdict where a formula gives the expectation."""
    chances = probability_of_choice(now.text.tokens, rule)
    p.say("positions")
    expected = chances and [chance * counts.n_draws for chance in chances]
    names = [f"{name} {i}" for i, name in enumerate(now.names)]
    columns = {"token": now.names, "observed": counts.positions}
    p.figure(
        "positions",
        counts_chart(names, counts.positions, expected),
        columns | {"expected": expected} if expected else columns,
        source="counts_source",
        **place,
    )
    if expected is None:
        p.say("no_formula")
        return
    free = [
        count
        for token, count in zip(now.text.tokens, counts.positions, strict=True)
        if why_excluded(token) is None
    ]
    is_fixed, rate = rule.selection == "fixed_count", rule.mlm_probability
    if is_fixed:
        rate = min(len(free), count_to_choose(len(now.names), rate)) / len(free)
    if is_fixed or rule.unit == "token":
        _say_verdict(p, fit_of_choices(free, counts.n_draws, rate, fixed=is_fixed))
    else:
        p.say("bound")


def _say_verdict(p: Part, fit: Fit) -> None:
    """Say whether the counts fit, with the numbers behind it."""
    said = p.section(
        f"verdict.{fit.verdict}",
        statistic=fit.statistic,
        degrees=fit.degrees,
        p=fit.p_value,
        one_in=1 / fit.p_value if fit.p_value else None,  # where p is 0, it is not said
    )
    st.markdown(f":material/{ICONS[fit.verdict]}: {said}")
