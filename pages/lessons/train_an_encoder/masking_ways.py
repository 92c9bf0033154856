"""Static and dynamic masking: several stored runs of each, and their curves."""

from collections.abc import Callable
from typing import Any

from mlm_core.evaluation.seeds import seed_mean
from mlm_core.figures.charts import lines_chart
from mlm_core.small_runs.static_masking import RepeatedTask
from mlm_core.stored.static_masking import MaskingRun
from pages.kit.caches import cache_training
from pages.kit.part import Part
from pages.lessons.train_an_encoder.several_seeds import mean_curve, outcome_of

WAYS = ("once", "ten", "anew")


def reveal(p: Part, say_verdict: Callable[[str], None]) -> None:
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
    say_verdict(outcome_of(once))
    p.say("masking_found", **told)
    _draw(p, found, len(seeds))
    p.say("masking_ten_clear" if ten.is_clear else "masking_ten_unclear", **told)
    p.say("static_masking_why")
    p.code("masking", RepeatedTask, seed_mean)


def _draw(p: Part, found: tuple[MaskingRun, ...], n_seeds: int) -> None:
    names = {way: p.plain(f"masking_{way}") for way in WAYS}
    lines = []
    for pen, way in enumerate(WAYS):
        own = [run for run in found if run.way == way]
        lines.append(mean_curve(names[way], own[0].steps, [run.held_out for run in own], pen))
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
