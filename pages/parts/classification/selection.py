"""The best of twenty runs, chosen by the test part: what of its result is luck?"""

from random import Random
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.selection_slopes import slopes_svg
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, link_number

if TYPE_CHECKING:
    from mlm_core.evaluation.selection import MeanSelection, Selection
    from mlm_core.shapes import Tensor

SIZES = ("25", "50", "100", "200")  # sentences of the test part
RUN = "classification_selection_run"
N_TIMES = 200


@part
def show(page: Page) -> None:
    """Draw a test part, choose by it, and look at the other sentences; then do that often."""
    from mlm_core.classroom.finetunes.twenty_runs import N_EXAMPLES, TASK
    from mlm_core.evaluation.selection import choose_by_part, draw_part, repeat_selection

    words, right = page.words, cache_finetuning.twenty_runs()
    st.markdown(words.section("selection.lead", n_train=N_EXAMPLES))
    run = link_number.read(words.label("selection_run"), 0, key=RUN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(
            inputs.choice(
                words.label("selection_size"),
                {n: n for n in SIZES},
                key="classification_selection_size",
                default="50",
            )
        )
        link_number.show_next(
            words.label("selection_again"),
            run,
            key=RUN,
            button=RUN + "_go",
            icon=":material/casino:",
        )
    found = choose_by_part(right, draw_part(right.shape[1], size, Random(run)))
    _draw(page, found, size, right.shape[1] - size, run)
    _say_often(page, repeat_selection(right, size, N_TIMES, Random(size)))
    data = cache_finetuning.dataset(TASK)
    parts = {"n_train": data.train, "n_dev": data.dev, "n_test": data.test}
    sizes = {name: formatted(len(examples), ",") for name, examples in parts.items()}
    st.markdown(words.section("selection.notice", **sizes))
    show_source(choose_by_part, repeat_selection, key="classification_selection_code")


def _draw(page: Page, found: "Selection", n: int, n_others: int, run: int) -> None:
    """Say what became of the chosen run, and draw it among the others."""
    from mlm_core.classroom.finetunes.twenty_runs import N_EXAMPLES, SEEDS
    from mlm_core.encoder.model_list import BUNDLED

    words, ends = page.words, (found.on_part, found.on_others)
    shares = _percentages(
        best_part=found.on_part[found.chosen],
        best_others=found.on_others[found.chosen],
        mean_part=found.on_part.mean(),
        mean_others=found.on_others.mean(),
        gap=found.gap,
    )
    counts = {"n": n, "n_others": n_others}
    name = "selection.fell" if found.gap > 0 else "selection.held"
    st.markdown(words.section(name, **counts, **shares))
    show_drawing(
        slopes_svg(
            list(zip(*(end.tolist() for end in ends), strict=True)),
            found.chosen,
            names=(
                words.plain("selection_on_part", n=n),
                words.plain("selection_on_others", n=n_others),
                words.plain("selection_mean"),
            ),
            alt=words.plain("selection_alt", **counts, **shares),
        ),
        key="classification_selection",
        table=Table(
            {
                "seed": list(SEEDS),
                "on_test_part": found.on_part.tolist(),
                "on_others": found.on_others.tolist(),
            }
        ),
        source=words.label("selection_source", model=BUNDLED, n_train=N_EXAMPLES, run=run + 1),
    )


def _say_often(page: Page, means: "MeanSelection") -> None:
    shares = _percentages(on_part=means.on_part, on_others=means.on_others, all=means.all_on_others)
    st.markdown(
        page.words.section("selection.often", times=means.n, n_lower=means.n_lower, **shares)
    )


def _percentages(**shares: "float | Tensor") -> dict[str, str]:
    return {name: formatted(100 * float(share), ".1f") for name, share in shares.items()}
