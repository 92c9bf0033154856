"""The learning curves of stored runs: a measure on the dev part, by step."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

MEASURES = ("proportion_right", "f1", "loss")


def show_curves(page: Page, runs: "dict[str, FineTuneSnapshot]") -> None:
    """Draw one line a run; beside them what the most frequent class would get."""
    words = page.words
    measure = inputs.choice(
        words.label("ways_measure"),
        {name: words.label(f"ways_measure_{name}") for name in MEASURES},
        key="classification_ways_measure",
    )
    curves = [
        Curve(
            name=words.plain(f"ways_{way}"),
            points=[(test.step, getattr(test, measure)) for test in run.tests],
            pen=pen,
            dots=True,
        )
        for pen, (way, run) in enumerate(runs.items())
    ]
    highest = max(value for curve in curves for _, value in curve.points)
    ends = "; ".join(f"{curve.name} {formatted(curve.points[-1][1], '.2f')}" for curve in curves)
    title = words.plain(f"ways_measure_{measure}")
    show_chart(
        lines_chart(
            curves,
            x_title=words.plain("ways_step"),
            y_title=title,
            y_axis={"range": (0.0, 1.0 if measure != "loss" else max(1.2, highest))},
            levels=_levels(page, measure),
        ),
        key="classification_three_ways_curves",
        alt=words.plain("ways_curves_alt", measure=title, ends=ends),
        table=Table(
            [
                {
                    "trained": words.plain(f"ways_{way}"),
                    "step": test.step,
                    "proportion_right": test.proportion_right,
                    "macro_f1": test.f1,
                    "loss": test.loss,
                }
                for way, run in runs.items()
                for test in run.tests
            ]
        ),
        source=words.label(
            "ways_curves_source",
            model=runs["head"].settings.model,
            n=len(runs["head"].dataset.dev),
        ),
    )
    if measure == "loss":
        st.caption(words.section("three_ways.loss"))


def _levels(page: Page, measure: str) -> list[Level]:
    if measure == "loss":
        return []
    majority = cache_finetuning.levels("sentiment", part="dev")["majority"]
    name = page.words.plain("compare_variant_majority")
    return [Level(name=name, value=majority[measure == "f1"])]
