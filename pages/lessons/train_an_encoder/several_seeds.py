"""Experiments with several seeds: static and dynamic masking, 15 % hidden or any share.

They have curves of means in common, and a difference in words.
"""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from mlm_core.evaluation.seeds import SeedMean, seed_mean
from mlm_core.figures.charts import lines_chart, log_axis, percent_axis
from mlm_core.figures.curves import Curve
from mlm_core.small_runs.mask_rates import (
    HIDDEN_SHARES,
    HiddenShare,
    choose_drawn,
    share_of_neighbours,
)
from mlm_core.small_runs.static_masking import RepeatedTask
from mlm_core.stored.mask_rates import STEPS, MaskRateRun
from mlm_core.stored.static_masking import MaskingRun
from pages.kit.caches import cache_training
from pages.kit.part import Part
from pages.lessons.train_an_encoder import computed

WAYS = ("once", "ten", "anew")


def _mean_curve(
    name: str, x: Sequence[int], of_seeds: Sequence[Sequence[float]], pen: int
) -> Curve:
    """Return the mean over the seeds at each x, with half of its interval."""
    means = [seed_mean(values) for values in zip(*of_seeds, strict=True)]
    return Curve(
        name=name,
        points=[(at, one.mean) for at, one in zip(x, means, strict=True)],
        errors=[one.margin for one in means],
        pen=pen,
        dots=True,
    )


def _outcome_of(difference: SeedMean) -> str:
    """Return what a difference of seeds says, and whether it may be chance."""
    if not difference.is_clear:
        return "same"
    return "higher" if difference.mean > 0 else "lower"


def reveal_masking(p: Part, say_verdict: Callable[[str], None]) -> None:
    """Say which way of masking has the higher held-out loss, and draw the curves of all."""
    found = cache_training.masking_runs()
    seeds = sorted({run.seed for run in found})
    last = {(run.way, run.seed): run.held_out[-1] for run in found}
    once, ten = (
        seed_mean([last[way, seed] - last["anew", seed] for seed in seeds])
        for way in ("once", "ten")
    )
    told: dict[str, Any] = {"n": len(seeds)}
    for way, one in (("once", once), ("ten", ten)):
        low, high = one.mean - one.margin, one.mean + one.margin
        told |= {f"{way}_mean": one.mean, f"{way}_low": low, f"{way}_high": high}
    say_verdict(_outcome_of(once))
    p.say("masking_found", **told)
    _draw_masking(p, found, len(seeds))
    p.say("masking_ten_clear" if ten.is_clear else "masking_ten_unclear", **told)
    p.say("static_masking_why")
    p.code("masking", RepeatedTask, seed_mean)


def _draw_masking(p: Part, found: tuple[MaskingRun, ...], n_seeds: int) -> None:
    names = {way: p.plain(f"masking_{way}") for way in WAYS}
    lines = []
    for pen, way in enumerate(WAYS):
        own = [run for run in found if run.way == way]
        lines.append(_mean_curve(names[way], own[0].steps, [run.held_out for run in own], pen))
    ends: dict[str, Any] = {way: line.points[-1][1] for way, line in zip(WAYS, lines, strict=True)}
    titles: dict[str, Any] = {"x_title": p.plain("curve_steps"), "y_title": p.plain("masking_axis")}
    p.figure(
        "masking_curves",
        lines_chart(lines, y_axis={"rangemode": "tozero"}, **titles),
        lambda: [
            {"run": names[run.way], "seed": run.seed, "step": step, "loss": loss, "training": t}
            for run in found
            for step, loss, t in zip(run.steps, run.held_out, run.training, strict=True)
        ],
        n=n_seeds,
        **ends,
    )


def reveal_rates(p: Part, say_verdict: Callable[[str], None]) -> None:
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
    say_verdict(_outcome_of(gain))
    p.say("rates_found", **told)
    _draw_rates(p, runs_of, told)
    p.say("rates_written", **told)
    p.say("mask_rates_why", **told)
    p.code("rates", choose_drawn, share_of_neighbours)


def _draw_rates(
    p: Part, runs_of: dict[HiddenShare, list[MaskRateRun]], told: dict[str, Any]
) -> None:
    lines = [
        _mean_curve(p.plain(f"rates_{name}"), STEPS, [run.neighbours for run in own], pen)
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
