"""Six runs in one figure: share right over the number of examples, from two starts."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.curves import Level
from mlm_core.figures.finetuning.by_examples import SizePoint, SizeSeries, by_examples_svg
from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


def draw(page: Page, runs: "dict[str, list[FineTuneSnapshot]]", majority: float) -> None:
    """Draw a line for each start, over the level of the most frequent class."""
    words = page.words
    series = {start: [_point(run) for run in of] for start, of in runs.items()}
    ends = {start: formatted(points[-1].proportion, ".2f") for start, points in series.items()}
    begins = {
        f"{start}_few": formatted(points[0].proportion, ".2f") for start, points in series.items()
    }
    last = runs["pretrained"][-1]
    show_drawing(
        by_examples_svg(
            [
                SizeSeries(name=words.plain(f"pretraining_{start}"), points=points)
                for start, points in series.items()
            ],
            level=Level(name=words.plain("pretraining_majority"), value=majority),
            x_title=words.plain("pretraining_x"),
            y_title=words.plain("pretraining_y"),
            alt=words.plain(
                "pretraining_alt", **ends, **begins, majority=formatted(majority, ".2f")
            ),
        ),
        key="classification_pretraining_figure",
        table=Table(
            [
                {
                    "start": words.plain(f"pretraining_{start}"),
                    "examples": point.n_examples,
                    "proportion_right": point.proportion,
                    "standard_error": point.error,
                    "epochs": run.settings.n_epochs,
                    "trained_numbers": run.n_trained,
                }
                for start, points in series.items()
                for point, run in zip(points, runs[start], strict=True)
            ]
        ),
        source=words.label(
            "pretraining_source",
            model=last.settings.model,
            n_layers=last.settings.n_top_layers,
            n_test=len(last.dataset.test),
            seed=last.settings.seed,
        ),
    )
    st.caption(words.section("pretraining.limits"))


def _point(run: "FineTuneSnapshot") -> SizePoint:
    from mlm_core.evaluation.seeds import standard_error

    share = run.tests[-1].proportion_right
    error = standard_error(share, len(run.dataset.test))
    return SizePoint(n_examples=len(run.dataset.train), proportion=share, error=error)
