"""15 % hidden in training or any share: several stored runs of each, and what they write."""

from collections.abc import Callable
from statistics import fmean
from typing import Any

from mlm_core.evaluation.seeds import seed_mean
from mlm_core.figures.charts import lines_chart, log_axis, percent_axis
from mlm_core.small_runs.mask_rates import (
    HIDDEN_SHARES,
    HiddenShare,
    choose_drawn,
    share_of_neighbours,
)
from mlm_core.stored.mask_rates import STEPS, MaskRateRun
from pages.kit.part import Part
from pages.lessons.train_an_encoder import computed
from pages.lessons.train_an_encoder.several_seeds import mean_curve, outcome_of


def reveal(p: Part, say_verdict: Callable[[str], None]) -> None:
    """Say which encoder writes better from blanks alone, and draw both by the steps."""
    found = computed.mask_rate_runs()
    runs_of = {one: [run for run in found if run.share == one] for one in HIDDEN_SHARES}
    gain = seed_mean(
        [
            drawn.neighbours[-1] - fixed.neighbours[-1]
            for fixed, drawn in zip(runs_of["fixed"], runs_of["drawn"], strict=True)
        ]
    )
    told: dict[str, Any] = {"n": len(runs_of["fixed"]), "gain": gain.mean, "margin": gain.margin}
    for name, own in runs_of.items():
        told[name] = fmean(run.neighbours[-1] for run in own)
        told[f"{name}_written"] = " · ".join(run.sentences[0] for run in own)
        for at, place in (("usual", 0), ("half", 1), ("all", -1)):
            told[f"{name}_{at}"] = fmean(run.losses[place] for run in own)
    say_verdict(outcome_of(gain))
    p.say("rates_found", **told)
    _draw(p, runs_of, told)
    p.say("rates_written", **told)
    p.say("mask_rates_why", **told)
    p.code("rates", choose_drawn, share_of_neighbours)


def _draw(p: Part, runs_of: dict[HiddenShare, list[MaskRateRun]], told: dict[str, Any]) -> None:
    lines = [
        mean_curve(p.plain(f"rates_{name}"), STEPS, [run.neighbours for run in own], pen)
        for pen, (name, own) in enumerate(runs_of.items())
    ]
    chart = lines_chart(
        lines,
        x_title=p.plain("rates_x"),
        y_title=p.plain("rates_y"),
        x_axis=log_axis(STEPS),
        y_axis=percent_axis((0.0, 0.25, 0.5, 0.75, 1.0)),
    )
    table = [
        {"run": p.plain(f"rates_{run.share}"), "seed": run.seed, "steps": n, "neighbours": one}
        for own in runs_of.values()
        for run in own
        for n, one in zip(STEPS, run.neighbours, strict=True)
    ]
    p.figure("rates_curves", chart, table, **told)
