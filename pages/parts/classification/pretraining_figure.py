"""The figure of "Why pretrain?": share right over the number of examples, of three ways."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.finetuning.settings import RANDOM_LAYERS
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

# How the stored figures name what is compared.
WAYS = {"pretrained": "top", "random": "random", "bag": "bag_of_words"}


def draw(
    page: Page,
    runs: "dict[str, list[FineTuneSnapshot]]",
    reached: "dict[str, list[Variant]]",
    majority: float,
) -> None:
    """Draw a line for each way, over the level of the most frequent class."""
    words, last = page.words, runs["pretrained"][-1]
    n_test, sizes = len(last.dataset.test), [len(run.dataset.train) for run in runs["pretrained"]]
    curves = {
        name: Curve(
            name=words.plain(f"pretraining_{name}", layers=RANDOM_LAYERS),
            points=[(n, one.mean) for n, one in zip(sizes, variants, strict=True)],
            errors=[one.standard_error(n_test) for one in variants],
            pen=pen,
            dots=True,
        )
        for pen, (name, variants) in enumerate(reached.items())
    }
    ends = {name: formatted(curve.points[-1][1], ".2f") for name, curve in curves.items()}
    begins = {f"{name}_few": formatted(curve.points[0][1], ".2f") for name, curve in curves.items()}
    show_chart(
        lines_chart(
            list(curves.values()),
            levels=[Level(name=words.plain("pretraining_majority"), value=majority)],
            x_title=words.plain("pretraining_x"),
            y_title=words.plain("pretraining_y"),
            x_axis=log_axis(sizes),
            y_axis={"range": [0, 1]},
        ),
        key="classification_pretraining_figure",
        alt=words.plain("pretraining_alt", **ends, **begins, majority=formatted(majority, ".2f")),
        table=Table(
            [
                row
                for name, curve in curves.items()
                for row in _rows(curve, reached[name], runs.get(name, [None] * len(sizes)))
            ]
        ),
        source=words.label(
            "pretraining_source",
            model=last.settings.model,
            n_test=n_test,
            layers=RANDOM_LAYERS,
            n_seeds=len(reached["pretrained"][-1].proportions),
        ),
    )
    st.caption(words.section("pretraining.limits", layers=RANDOM_LAYERS, **_on_dev()))


def _on_dev() -> dict[str, object]:
    """Return what a random start reached on dev with its layers, and with the most tried."""
    tried = [one for one in cache_finetuning.choices() if one.way == "random"]
    best = {one.n_read_layers: one for one in sorted(tried, key=lambda one: one.f1)}
    deeper = max(best)
    return {
        "dev": percent(best[RANDOM_LAYERS].proportion_right),
        "deeper": deeper,
        "dev_deeper": percent(best[deeper].proportion_right),
    }


def _rows(
    curve: Curve, variants: "list[Variant]", runs: "list[FineTuneSnapshot | None]"
) -> list[dict[str, object]]:
    """Return the table's rows of a line; a bag of words has no run."""
    return [
        {
            "start": curve.name,
            "examples": n,
            "proportion_right": one.mean,
            "standard_error": error,
            "lowest": min(one.proportions),
            "highest": max(one.proportions),
            "seeds": len(one.proportions),
            "epochs": run and run.settings.n_epochs,
            "trained_numbers": run and run.n_trained,
        }
        for (n, _), error, one, run in zip(curve.points, curve.errors, variants, runs, strict=True)
    ]


def percent(share: float) -> str:
    """Return a share as readers meet it."""
    return f"{formatted(100 * share, '.0f')}\u00a0%"
