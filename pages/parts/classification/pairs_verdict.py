"""What the accuracies on pairs say: a figure, and its meaning in words."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.embeddings.isotropy_dots import DotRow, dots_svg
from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant


def draw(page: Page, title: str, variants: "dict[str, Variant]", n: int) -> None:
    """Draw the run's accuracy and those of what it is compared with."""
    words = page.words
    names = {name: words.plain(f"pairs_row_{name}") for name in variants}
    rows = [
        DotRow(name=names[name], values=(one.mean,), errors=(one.standard_error(n),))
        for name, one in variants.items()
    ]
    alt = ", ".join(f"{names[name]} {formatted(one.mean, '.2f')}" for name, one in variants.items())
    show_drawing(
        dots_svg(
            rows,
            (words.plain("pairs_accuracy"),),
            low=0.0,
            high=1.0,
            x_title=words.plain("pairs_axis"),
            alt=words.plain("pairs_figures_alt", figures=alt),
        ),
        key="classification_pairs_figures",
        table=Table(
            {
                "classified_by": list(names.values()),
                "accuracy": [one.mean for one in variants.values()],
                "standard_error": [one.standard_error(n) for one in variants.values()],
            }
        ),
        source=words.label("pairs_figures_source", run=title, n=n),
    )


def explain(page: Page, variants: "dict[str, Variant]", n: int) -> None:
    """Say whether the run is better than the second text's bag by more than chance makes."""
    from mlm_core.evaluation.seeds import compare

    words = page.words
    found = compare(variants["run"], variants["second"], n)
    is_better = found.is_significant and found.difference > 0
    st.markdown(
        words.section(
            "pairs.able" if is_better else "pairs.weak",
            run=percent(variants["run"].mean),
            second=percent(variants["second"].mean),
            majority=percent(variants["majority"].mean),
            difference=formatted(100 * found.difference, "+.0f"),
            margin=formatted(100 * found.margin, ".0f"),
            n=n,
        )
    )
    st.markdown(words.section("pairs.both", both=percent(variants["both"].mean)))


def percent(share: float) -> str:
    """Return a share as whole per cent."""
    return f"{formatted(100 * share, '.0f')}\u00a0%"
