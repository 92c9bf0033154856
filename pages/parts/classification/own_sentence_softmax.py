"""The softmax of a few logits with all its numbers, and the verdict as bars."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.finetuning.classification_terms import softmax_tex
from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.classification.head_steps import ClassSteps


def show_softmax(
    page: Page,
    steps: "ClassSteps",
    classes: tuple[str, ...],
    source: str,
    verdict: "DeltaGenerator",
) -> None:
    """Write out u, e^u and their quotient; draw the probabilities under `verdict`, on top."""
    words = page.words
    st.markdown(words.section("own_sentence.softmax"))
    if steps.shift:
        st.caption(words.section("own_sentence.shifted", shift=formatted(steps.shift, ".3f")))
    powers, probabilities = steps.powers.tolist(), steps.probabilities.tolist()
    rows = [
        {"class": name, "u": u, "e^u": power, "y": y}
        for name, u, power, y in zip(
            classes, steps.logits.tolist(), powers, probabilities, strict=True
        )
    ]
    total = {
        "class": words.plain("own_total"),
        "u": None,
        "e^u": sum(powers),
        "y": sum(probabilities),
    }
    short = [{name: _short(value) for name, value in row.items()} for row in [*rows, total]]
    Table(short).show()
    best = probabilities.index(max(probabilities))
    st.markdown(words.section("own_sentence.quotient", said=classes[best]))
    st.latex(softmax_tex(powers, best, probabilities[best]))
    with verdict:
        told = ", ".join(
            f"{name} {formatted(y, '.3f')}" for name, y in zip(classes, probabilities, strict=True)
        )
        st.markdown(
            words.section(
                "own_sentence.says", said=classes[best], p=formatted(probabilities[best], ".3f")
            )
        )
        show_drawing(
            bars_svg(classes, probabilities, longest=1.0, alt=words.plain("own_alt", told=told)),
            key="classification_own_bars",
            table=Table(rows),
            source=source,
        )


def _short(value: object) -> object:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}") if isinstance(value, float) else value
