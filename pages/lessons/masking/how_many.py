"""How many are chosen: a fixed count or each independently, in one text and in a packed window."""

from random import Random
from typing import Any

from mlm_core.figures.charts import counts_chart
from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.masking.counts import (
    Counts,
    chosen_when_packed,
    count_corruptions,
    expected_branches,
    probability_of_choice,
    probability_of_count,
    probability_of_none,
)
from mlm_core.masking.goodness_of_fit import Fit, fit_of_choices, fit_of_proportions
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.number_format import formatted
from pages.kit.caches import cache_vocabularies
from pages.kit.part import Part, part
from pages.lessons.masking import setting
from pages.lessons.masking.setting import Setting

GUESSES = ("0", "5", "15", "38", "62")  # per cent; 38 is (1 - 0.15)^6
RATE = CorruptionRule().mlm_probability
N_DRAWS = ("100", "1000", "10000")
ICONS = {"fits": "check", "surprising": "help", "no_fit": "close", "too_few": "hourglass"}
N_PACKED, LONGEST = 8, 10  # sentences in one window; tokens of one of ours


@part(
    code=(
        "masking.rule:count_to_choose",
        "masking.counts:probability_of_none",
        "masking.counts:count_corruptions",
        "masking.counts:chosen_when_packed",
        "masking.goodness_of_fit:chi_square_tail",
    )
)
def show(p: Part) -> None:
    """Ask how often nothing is chosen; count what is, and choose before and after packing."""
    p.say("lead")
    options = {guess: f"{guess} %" for guess in GUESSES} | {"0": p.label("never")}
    guess = p.guess("short", options)
    if guess is not None:
        none = probability_of_none(6, RATE)
        truth = min(options, key=lambda option: abs(int(option) - 100 * none))
        p.tell_right("short", truth)
        p.say("right" if guess == truth else "wrong", guess=guess, none=none)
    now = setting.of_part(p)
    rule = CorruptionRule(selection=p.choice("selection"))
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    run = p.counter("run")
    with p.row():
        counted = p.choice("counted")
        n_draws = int(p.choice("n_draws", {n: formatted(int(n), ",") for n in N_DRAWS}))
        p.count_on("run", run, "run_go", "casino")
    counts = _counted(p, now, rule, n_draws, run)
    place: dict[str, Any] = {"n": n_draws, "seed": now.seed, "run": run + 1}
    place["selection"] = p.plain(f"selection_{rule.selection}")
    {"number": _show_number, "positions": _show_positions, "actions": _show_actions}[counted](
        p, now, rule, counts, place
    )
    with p.fold("before_or_after", "inventory_2"):
        _show_packing(p, now, run)


def _counted(p: Part, now: Setting, rule: CorruptionRule, n_draws: int, run: int) -> Counts:
    """Return the counts of one run, with progress while they are made; kept for the next rerun."""
    asked = (now.names, now.seed, rule, n_draws, run)
    kept = p.state.get("counts")
    if kept and kept[0] == asked:
        return kept[1]
    # The run is in the seed, so that a second run of the same view differs from the first.
    rng = Random(f"{now.seed}/{run}")
    counts, at_once = None, max(1, n_draws // 20)
    with p.reported("drawing_lots") as report:
        for counts in count_corruptions(now.text.tokens, rule, rng, n_draws, at_once):
            report(counts.n_draws, n_draws)
    assert counts is not None  # at least one draw was asked for
    p.state["counts"] = (asked, counts)
    return counts


def _show_number(
    p: Part, now: Setting, rule: CorruptionRule, counts: Counts, place: dict[str, Any]
) -> None:
    """Show how many tokens were chosen: always as many, or a binomial number."""
    n_tokens, n_free, is_fixed = len(now.names), now.n_free, rule.selection == "fixed_count"
    fixed = min(n_free, count_to_choose(n_tokens, RATE))
    chances = [float(n == fixed) for n in range(n_free + 1)]
    if not is_fixed:
        chances = list(probability_of_count(n_free, RATE))
    means = [chance * counts.n_draws for chance in chances]
    # The far end of the binomial is all but empty; what was seen stays in.
    last = max(i for i, mean in enumerate(means) if mean >= 1 or counts.n_chosen.get(i))
    numbers, means = range(last + 1), means[: last + 1]
    observed = [counts.n_chosen.get(i, 0) for i in numbers]
    p.figure(
        "number",
        counts_chart([p.plain("n_masks", n=i) for i in numbers], observed, means),
        {"chosen": numbers, "observed": observed, "expected": means},
        source="counts_source",
        of=n_free,
        **place,
    )
    about = {"n": n_tokens, "free": n_free, "product": n_tokens * RATE, "fixed": fixed}
    if is_fixed:
        p.say("fixed_count", share=fixed / n_free, **about)
    else:
        none = probability_of_none(n_free, RATE)
        p.say("independent", none=none, seen=observed[0] / counts.n_draws, **about)


def _show_positions(
    p: Part, now: Setting, rule: CorruptionRule, counts: Counts, place: dict[str, Any]
) -> None:
    """Show a bar for each position, with a verdict."""
    chances = probability_of_choice(now.text.tokens, rule)
    assert chances is not None  # of single tokens there is a formula
    means = [chance * counts.n_draws for chance in chances]
    names = [f"{name} {i}" for i, name in enumerate(now.names)]
    p.figure(
        "positions",
        counts_chart(names, counts.positions, means),
        {"token": now.names, "observed": counts.positions, "expected": means},
        source="counts_source",
        **place,
    )
    free = [count for count, chance in zip(counts.positions, chances, strict=True) if chance > 0]
    is_fixed = rule.selection == "fixed_count"
    _say_verdict(p, fit_of_choices(free, counts.n_draws, max(chances), fixed=is_fixed))


def _show_actions(
    p: Part, now: Setting, rule: CorruptionRule, counts: Counts, place: dict[str, Any]
) -> None:
    """Show how often each action was drawn, with a verdict."""
    expected = expected_branches(rule, counts.n_branch_draws)
    names = [p.plain(f"branch_{branch}") for branch in expected]
    means, observed = list(expected.values()), [counts.branches[branch] for branch in expected]
    colours = [BRANCH_COLOURS[branch] for branch in expected]
    p.figure(
        "branches",
        counts_chart(names, observed, means, colours=colours),
        {"branch": names, "observed": observed, "expected": means},
        source="counts_source",
        draws=counts.n_branch_draws,
        **place,
    )
    _say_verdict(p, fit_of_proportions(observed, means))


def _say_verdict(p: Part, fit: Fit) -> None:
    """Say whether the counts fit, with the numbers behind it."""
    said = p.section(
        f"verdict.{fit.verdict}",
        statistic=fit.statistic,
        degrees=fit.degrees,
        p=fit.p_value,
        one_in=1 / fit.p_value if fit.p_value else None,  # where p is 0, it is not said
    )
    p.write(f":material/{ICONS[fit.verdict]}: {said}")
    p.say("fit")


def _show_packing(p: Part, now: Setting, run: int) -> None:
    """Show how many tokens of each sentence are chosen, alone and in a window with others."""
    documents = cache_vocabularies.sentence_lengths(p.model_name, None, now.language)
    ours = [n for document in documents for n in document if n <= LONGEST]
    lengths = [now.n_free, *ours[: N_PACKED - 1]]
    before = [min(n, count_to_choose(n + 2, RATE)) for n in lengths]  # with [CLS] and [SEP]
    after = chosen_when_packed(lengths, RATE, Random(f"{now.seed}/{run}/packed"))
    p.say("packing")
    names = [p.plain("n_tokens" if i else "n_tokens_own", n=n) for i, n in enumerate(lengths)]
    p.figure(
        "packed",
        counts_chart(names, after, before),
        {"n_tokens": lengths, "before_packing": before, "after_packing": after},
        n=len(lengths),
        seed=now.seed,
        run=run + 1,
    )
    total = sum(lengths)
    p.say(
        "packed",
        n=total,
        before=sum(before),
        after=sum(after),
        share_before=sum(before) / total,
        share_after=sum(after) / total,
        empty=sum(not one for one in after),
    )
