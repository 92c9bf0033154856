"""One cosine written out: the first products of the sum, the lengths, the division."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.shapes import Tensor

N_TERMS = 2  # products that are written out


def show_arithmetic(page: Page, use: "Tensor", centroid: "Tensor", sense: str) -> None:
    """Write out the cosine of a use and a sense's centroid."""
    products = (use * centroid).tolist()
    dot, first, second = sum(products), use.norm().item(), centroid.norm().item()
    terms = " + ".join(
        rf"({use[i].item():.3f} \cdot {centroid[i].item():.3f})" for i in range(N_TERMS)
    )
    st.latex(rf"t \cdot v_s = {terms} + \dots = {dot:.3f}")
    st.latex(
        rf"\cos(t, v_s) = \frac{{t \cdot v_s}}{{|t|\,|v_s|}} ="
        rf" \frac{{{dot:.3f}}}{{{first:.3f} \cdot {second:.3f}}} = {dot / (first * second):.4f}"
    )
    largest = max(range(len(products)), key=lambda i: abs(products[i]))
    st.markdown(
        page.words.section(
            "disambiguate.arithmetic",
            n=len(products),
            sense=sense,
            largest=largest,
            share=significant(100 * products[largest] / dot, 2),
        )
    )
    keep(
        "word_senses_arithmetic",
        table=lambda: Table(
            {
                "dimension": list(range(len(products))),
                "t": use.tolist(),
                "v_s": centroid.tolist(),
                "product": products,
            }
        ),
        source=page.words.label("arithmetic_source", sense=sense),
    )
