"""Is tagger A better than tagger B? A thousand resamples of the test part, and one verdict."""

from typing import Any

import numpy as np

from mlm_core.evaluation.bootstrap import SLACK, Bootstrap, Resample, paired_bootstrap
from mlm_core.figures.tagging.resamples import leads_chart
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from mlm_core.tagging.scores import compare_spans, count_pairs
from pages.kit.part import Part, Table, part
from pages.kit.training import finetune_runs
from pages.lessons.bio_tagging import computed
from pages.lessons.bio_tagging.setting import data_of

N_SHOWN = 3  # drawn sets
LEVEL = 0.05  # the usual threshold, by convention
SIDES = ("bootstrap_a", "bootstrap_b")
FIRST_B = "head"  # the way that B was trained in


@part()
def show(p: Part) -> None:
    """Choose two taggers, draw resamples, ask for a guess, and give the verdict."""
    p.say("lead")
    both = _choose_two(p)
    if both is None:
        return
    (name_a, run_a), (name_b, run_b) = both
    p.button("bootstrap_swap", _swap, p, icon="swap_horiz", changes=SIDES, type="tertiary")
    gold, rng = [one.spans for one in run_a.data.test], np.random.default_rng(computed.SEED)
    found = compare_spans(gold, run_a.spans, run_b.spans, rng, n_first=N_SHOWN)
    told = _told(found)
    named = told | {"a": name_a, "b": name_b, "n": len(gold), "seed": computed.SEED}
    p.say("scores", **named)
    if found.delta < 0:
        p.note("behind")
    if name_a == name_b:
        p.note("same")
    _show_first_sets(p, found.first)
    guess = p.guess("bootstrap", ("rare", "common"), about=(name_a, name_b))
    if guess is None:
        return
    _show_verdict(p, found, guess, told | {"a": "A", "b": "B"}, named)
    # Not before the guess.
    p.code("bootstrap", paired_bootstrap, count_pairs)


def _choose_two(
    p: Part,
) -> tuple[tuple[str, FineTuneSnapshot], tuple[str, FineTuneSnapshot]] | None:
    """Show both pickers; say why, and return None, if the two can't be compared."""
    # B starts with another run than A, which starts with the one that trained most layers.
    data = data_of(p)
    first_b = f"{data[0]}_{FIRST_B}"
    is_open = SIDES[1] not in p.state and p.in_link(SIDES[1]) is None
    if is_open and first_b in finetune_runs.stored_runs(data, with_weights=False):
        p.state[SIDES[1]] = first_b
    chosen = []
    for key, column in zip(SIDES, p.columns(gap="small"), strict=True):
        with column:
            p.write(f"**{p.label(f'tagger_{key[-1]}')}**")
            chosen.append(finetune_runs.choose(p, data, with_weights=False, name=key))
    first, second = chosen
    if first is None or second is None:
        return None
    run_a, run_b = first[1], second[1]
    if any(run.predictions is None or run.dataset is None for run in (run_a, run_b)):
        p.note("no_predictions", icon="hourglass")
        return None
    if run_a.data.test != run_b.data.test:
        p.warn("other_test", icon="rule", a=len(run_a.data.test), b=len(run_b.data.test))
        return None
    return first, second


def _swap(p: Part) -> None:
    names = [p.state[key] for key in SIDES]
    for key, name in zip(SIDES, reversed(names), strict=True):
        p.choose(key, name)


def _show_first_sets(p: Part, sets: tuple[Resample, ...]) -> None:
    """List the first drawn sets, with the lead on each."""
    first, n = sets[0], len(sets[0].times)
    most = max(first.times)
    left_out = {"left_out": first.n_left_out, "share": first.n_left_out / n}
    p.say("drawn", n=n, most=most, number=first.times.index(most), **left_out)
    columns = {
        "set": [p.plain("resample", n=i) for i in range(1, len(sets) + 1)],
        "left_out": [one.n_left_out for one in sets],
        "a": [round(one.score_a, 4) for one in sets],
        "b": [round(one.score_b, 4) for one in sets],
        "delta": [round(one.delta, 4) for one in sets],
    }
    Table({p.plain(f"resample_{name}"): column for name, column in columns.items()}).show()


def _show_verdict(
    p: Part, found: Bootstrap, guess: str, told: dict[str, Any], named: dict[str, Any]
) -> None:
    """Compare the guess with p, draw the leads, and say what p means and what it doesn't."""
    truth = "rare" if found.p_value < LEVEL else "common"
    p.tell_right("bootstrap", truth)
    p.say("guess_right" if guess == truth else "guess_wrong", **told)
    deltas = found.deltas.tolist()
    beyond = [lead >= 2 * found.delta - SLACK for lead in deltas]
    chart = leads_chart(
        deltas,
        found.delta,
        names=(p.plain("below"), p.plain("beyond")),
        marks=[p.plain(f"mark_{name}", **told) for name in ("zero", "delta", "twice")],
        axes=(p.plain("x"), p.plain("y")),
    )
    table = {"resample": range(1, len(deltas) + 1), "delta": deltas, "at_least_2_delta": beyond}
    p.figure("leads", chart, table, source="source", **named)
    p.say("behind_verdict" if found.delta <= 0 else "better" if truth == "rare" else "open", **told)
    with p.fold("reading", "help"):
        p.say("why_twice", **told)
        p.say("meaning", **told)
        p.say("notice")


def _told(found: Bootstrap) -> dict[str, object]:
    """Return the numbers as the page's sentences take them."""
    n = len(found.deltas)
    return {
        "f1_a": found.score_a,
        "f1_b": found.score_b,
        "delta": _signed(found.delta),
        "twice": _signed(2 * found.delta),
        "beyond": found.n_as_large,
        "resamples": n,
        "is": "=" if found.n_as_large else "<",
        "p": found.p_value if found.n_as_large else 1 / n,
        "mean": _signed(float(found.deltas.mean())),
        "low": _signed(float(found.deltas.min())),
        "high": _signed(float(found.deltas.max())),
    }


def _signed(lead: float) -> str:
    """Return a lead with its sign; one that is written as 0 has none."""
    return formatted(lead, "+.3f" if abs(lead) >= 0.0005 else "z.3f")
