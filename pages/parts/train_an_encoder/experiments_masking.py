"""Static against dynamic masking: stored runs of several seeds, with their intervals."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve
from mlm_core.number_format import formatted
from pages.shared.caches import cache_training
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.small_runs.static_masking import MaskingRun

SLUG = "train_an_encoder"
WAYS = ("once", "ten", "anew")


def reveal(page: Page, guess: str) -> None:
    """Say which way has the higher held-out loss, and draw the curves of all."""
    from mlm_core.evaluation.seeds import seed_mean
    from mlm_core.small_runs.static_masking import RepeatedTask

    words, runs = page.words, cache_training.masking_runs()
    seeds = sorted({run.seed for run in runs})
    last = {(run.way, run.seed): run.held_out[-1] for run in runs}
    found = {
        way: seed_mean([last[way, seed] - last["anew", seed] for seed in seeds])
        for way in ("once", "ten")
    }
    once = found["once"]
    outcome = "same" if not once.is_clear else "higher" if once.mean > 0 else "lower"
    right = "right" if guess == outcome else "wrong"
    told = {
        f"{way}_{what}": formatted(value, ".2f")
        for way, one in found.items()
        for what, value in (("mean", one.mean), ("low", one.mean - one.margin))
    } | {f"{way}_high": formatted(one.mean + one.margin, ".2f") for way, one in found.items()}
    n = len(seeds)
    st.markdown(
        words.section(
            f"experiments.masking_{right}", outcome=words.plain(f"guess_{outcome}"), n=n, **told
        )
    )
    _draw(page, runs, n)
    clear = "clear" if found["ten"].is_clear else "unclear"
    st.markdown(words.section(f"experiments.masking_ten_{clear}", n=n, **told))
    st.markdown(words.section("experiments.static_masking_why"))
    show_source(RepeatedTask, seed_mean, key=f"{SLUG}_masking_code")


def _draw(page: Page, runs: "tuple[MaskingRun, ...]", n_seeds: int) -> None:
    words = page.words
    names = {way: words.plain(f"masking_{way}") for way in WAYS}
    found = {way: _mean_curve(runs, way) for way in WAYS}
    curves = [
        Curve(
            name=names[way],
            points=[(step, loss) for step, loss, _ in points],
            errors=[margin for _, _, margin in points],
            pen=pen,
            dots=True,
        )
        for pen, (way, points) in enumerate(found.items())
    ]
    last = {way: formatted(points[-1][1], ".2f") for way, points in found.items()}
    show_chart(
        lines_chart(
            curves,
            x_title=words.plain("curve_steps"),
            y_title=words.plain("masking_axis"),
            y_axis={"rangemode": "tozero"},
        ),
        key=f"{SLUG}_masking_curves",
        alt=words.plain("masking_alt", n=n_seeds, **last),
        table=lambda: Table(
            [
                {"run": names[run.way], "seed": run.seed, "step": step, "loss": loss, "training": t}
                for run in runs
                for step, loss, t in zip(run.steps, run.held_out, run.training, strict=True)
            ]
        ),
        source=words.label("masking_source", n=n_seeds),
    )


def _mean_curve(runs: "tuple[MaskingRun, ...]", way: str) -> list[tuple[int, float, float]]:
    """Return step, mean held-out loss over the seeds, half of its interval."""
    from mlm_core.evaluation.seeds import seed_mean

    own = [run for run in runs if run.way == way]
    found = [seed_mean(losses) for losses in zip(*(run.held_out for run in own), strict=True)]
    return [(step, one.mean, one.margin) for step, one in zip(own[0].steps, found, strict=True)]
